;;; passepartout-text.el --- How messages of the agent are written  -*- lexical-binding: t -*-

;; This file is not part of GNU Emacs.

;;; Commentary:

;; Answers become Org, values become lines, and a question becomes a text that
;; hides nothing.  What comes from a model, a note or a program stays text:
;; nothing of it is evaluated, and what cannot be seen is spelled out.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'passepartout-wire)

(defconst passepartout-text--hidden
  (concat "[\x00-\x08\x0B-\x1F\x7F-\u00A0\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890-\u0891\u08E2"
          "\u115F-\u1160\u1680\u17B4-\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000"
          "\u3164\xD800-\xF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\x110BD\x110CD\x13430-\x1343F"
          "\x1BCA0-\x1BCA3\x1D173-\x1D17A\xE0000-\xE0FFF\xF0000-\xFFFFD\x100000-\x10FFFD\x110000-\x3FFFFF]")
  "What a person would not see, takes for a blank, or sees where it does not stand.")

(defun passepartout-text-visible (text &optional run)
  "Return TEXT with everything that is hidden in it spelled out.
More than RUN blanks in a row are counted, by default as many as indent code:
what they push away looks like a line of its own."
  (let ((hidden (replace-regexp-in-string
                 passepartout-text--hidden (lambda (found) (format "<U+%04X>" (aref found 0)))
                 (string-replace "\t" "⇥   " text) t t)))
    (replace-regexp-in-string
     " \\{4,\\}"
     (lambda (blanks)
       (if (<= (length blanks) (or run 24)) blanks (format "<U+0020 × %d>" (length blanks))))
     hidden t t)))

(defun passepartout-text-line (text)
  "Return TEXT as a part of a line, of which nothing passes for another part."
  (string-replace "\n" "<U+000A>" (passepartout-text-visible (format "%s" text) 3)))

(defun passepartout-text-clean (text)
  "Return TEXT without control characters and what reorders text.
Joiners and variants of signs stay."
  (replace-regexp-in-string "[\x00-\x08\x0B-\x1F\x7F-\u009F\u202A-\u202E\u2066-\u2069]" "" text t t))

(defun passepartout-text--trim-end (text blanks)
  "Return TEXT without the BLANKS, a list of characters, at its end.
In linear time, as a regular expression would not."
  (let ((end (length text)))
    (while (and (> end 0) (memq (aref text (1- end)) blanks)) (setq end (1- end)))
    (substring text 0 end)))

(defun passepartout-text-quote (text &optional mark)
  "Return the lines of TEXT, each behind MARK.
By default that is the mark of fixed width in Org."
  (let ((mark (or mark ": ")))
    (mapconcat (lambda (line) (concat mark line "\n"))
               (split-string (passepartout-text--trim-end text '(?\n)) "\n") "")))

;;;; Values

(defun passepartout-text-name (symbol)
  "Return the name of the key or word SYMBOL."
  (passepartout-text-line (downcase (replace-regexp-in-string "\\`:\\|[|\\]" "" (symbol-name symbol)))))

(defun passepartout-text--scalar (value)
  "Return the words of VALUE, which is no list."
  (pcase value
    ('T "yes") (:FALSE "no") ((or 'NIL :NULL 'nil) "none")
    ((pred stringp) value)
    ((pred symbolp) (passepartout-text-name value))
    (_ (format "%s" value))))

(defun passepartout-text--keys (value)
  "Return non-nil where the list VALUE is an object."
  (and (keywordp (car-safe value)) (not (memq (car value) '(:FALSE :NULL)))))

(defun passepartout-text-lines (value &optional indent)
  "Return VALUE of a message as a list of lines, each behind INDENT."
  (let* ((indent (or indent ""))
         (deeper (concat indent "  "))
         (entry (lambda (name item)
                  (if (or (consp item) (and (stringp item) (string-match-p "\n" item)))
                      (cons (concat indent name) (passepartout-text-lines item deeper))
                    (list (concat indent name " " (passepartout-text--scalar item)))))))
    (cond
     ((not (consp value))
      (mapcar (lambda (line) (concat indent line)) (split-string (passepartout-text--scalar value) "\n")))
     ((passepartout-text--keys value)
      (cl-loop for (key item) on value by #'cddr
               append (funcall entry (concat (passepartout-text-name key) ":") item)))
     (t (cl-loop for item in value append (funcall entry "-" item))))))

(defun passepartout-text-changes (files)
  "Return lines that show changed FILES, each with its diff."
  (cl-loop for change in files
           append (append
                   (list (format "%s %s (+%s -%s)" (passepartout-text-line (passepartout-wire-get change :CHANGE))
                                 (passepartout-text-line (passepartout-wire-get change :PATH))
                                 (or (passepartout-wire-get change :ADDED) 0)
                                 (or (passepartout-wire-get change :REMOVED) 0)))
                   (mapcar (lambda (line) (concat "  " line))
                           (split-string (or (passepartout-wire-get change :DIFF) "") "\n" t))
                   (let ((left (or (passepartout-wire-get change :LEFT) 0)))
                     (unless (eq left 0) (list (format "  (%s more lines are not shown)" left)))))))

(defun passepartout-text-action (action)
  "Return what ACTION would do, in a line."
  (let* ((payload (passepartout-wire-get action :PAYLOAD))
         (command (or (passepartout-wire-get payload :CMD) (passepartout-wire-get payload :ARGS :CMD)))
         (text (cond
                (command (concat "! " command))
                ((passepartout-wire-get payload :TOOL)
                 (string-join (cons (passepartout-wire-get payload :TOOL)
                                    (passepartout-text-lines (passepartout-wire-get payload :ARGS)))
                              "  "))
                (t (string-join (passepartout-text-lines action) "  ")))))
    (truncate-string-to-width
     (passepartout-text-visible (replace-regexp-in-string "[ \t\n]+" " " text)) 120 nil nil "…")))

;;;; Questions

(defun passepartout-text--effect (effect)
  "Return EFFECT as lines, with everything in it but its label."
  (let ((rest (cl-loop for (key value) on effect by #'cddr
                       unless (memq key '(:KIND :TARGET :LABEL :REVERSAL :PLAN)) append (list key value)))
        (plan (passepartout-wire-get effect :PLAN)))
    (cons (format "- %s %s (%s)" (passepartout-text-line (passepartout-wire-get effect :KIND))
                  (passepartout-text-line (passepartout-wire-get effect :TARGET))
                  (pcase (passepartout-wire-get effect :REVERSAL)
                    ("undoable" "can be undone")
                    ("compensable" "can be compensated, not undone")
                    (_ "CANNOT be undone")))
          (append (and rest (passepartout-text-lines rest "    "))
                  (and plan (passepartout-text--plan plan))))))

(defun passepartout-text--plan (plan)
  "Return PLAN as lines: a checklist of what a yes would permit, and its limits."
  (append
   (cl-loop for step in (passepartout-wire-list plan :STEPS)
            for number from 1
            for times = (or (passepartout-wire-get step :TIMES) 1)
            append (cons (format "  - [ ] %d  %s%s" number (passepartout-text-line (passepartout-wire-get step :WORDS))
                                 (if (eq times 1) "" (format ", at most %s times" times)))
                         (append
                          (cl-loop for effect in (passepartout-wire-list step :EFFECTS)
                                   append (mapcar (lambda (line) (concat "        " line))
                                                  (passepartout-text--effect effect)))
                          (when-let* ((rest (cl-loop for (key value) on step by #'cddr
                                                     unless (or (memq key '(:WORDS :TIMES :EFFECTS))
                                                                (memq value '(NIL :NULL)))
                                                     append (list key value))))
                            (passepartout-text-lines rest "        ")))))
   (passepartout-text-lines
    (cl-loop for (key value) on plan by #'cddr unless (eq key :STEPS) append (list key value)) "  ")
   (list "  Nothing else: whatever differs asks you.")))

(defun passepartout-text-question (form)
  "Return the question FORM as a text: all that a yes would do, and why it asks."
  (let* ((payload (passepartout-wire-get form :PAYLOAD))
         (get (lambda (key) (passepartout-wire-get payload key)))
         (line (lambda (key) (passepartout-text-line (funcall get key))))
         (action (funcall get :ACTION))
         (expires (funcall get :EXPIRES-AT-MS))
         (claim (passepartout-wire-get action :EXPLANATION)))
    (passepartout-text-quote
     (passepartout-text-visible
      (string-join
       (append
        (list (concat "MAY IT DO THIS?" (and (funcall get :WORKSPACE)
                                             (concat "  in " (funcall line :WORKSPACE)))))
        (passepartout-text-lines (passepartout-wire-get action :PAYLOAD) "  ")
        (when-let* ((changes (passepartout-wire-list payload :CHANGES)))
          (cons "What would change:" (passepartout-text-changes changes)))
        (list "Effects:")
        (cl-mapcan #'passepartout-text--effect (copy-sequence (passepartout-wire-list payload :EFFECTS)))
        (list (concat "Asked because: " (funcall line :TEXT)))
        (cl-loop for trace in (passepartout-wire-list form :GATE-TRACE)
                 when (eq (passepartout-wire-get trace :RESULT) :APPROVAL)
                 collect (format "Gate %s: %s" (passepartout-text-line (passepartout-wire-get trace :GATE))
                                 (passepartout-text-line (passepartout-wire-get trace :REASON))))
        (when (funcall get :HABIT) (list (concat (funcall line :HABIT) " Read this one.")))
        (when claim (list (concat "The agent says: " (passepartout-text-line claim))))
        (list (concat "y: yes, once   n: no   w: no, and why"
                      (and expires (format-time-string "\n(It waits until %F %H:%M; then that is a no.)"
                                                       (/ expires 1000)))))) "\n"))
     "│ ")))

;;;; Answers

(defun passepartout-text--spans (line)
  "Return LINE of Markdown with its emphasis, code and links as Org writes them."
  (let ((start 0) (parts nil))
    (while (string-match "`\\([^`]+\\)`\\|\\*\\*\\([^*]+\\)\\*\\*\\|\\[\\([^][]+\\)](\\([^][() ]+\\))" line start)
      (push (substring line start (match-beginning 0)) parts)
      (push (cond ((match-string 1 line) (format "~%s~" (match-string 1 line)))
                  ((match-string 2 line) (format "*%s*" (match-string 2 line)))
                  (t (format "[[%s][%s]]" (match-string 4 line) (match-string 3 line))))
            parts)
      (setq start (match-end 0)))
    (apply #'concat (nreverse (cons (substring line start) parts)))))

(defun passepartout-text--prose (line)
  "Return LINE of Markdown, outside of code, as Org writes it."
  (cond
   ;; Nobody writes so long a line, and its marks could cost minutes.
   ((> (length line) 10000) (concat ": " line))
   ((string-match "\\`#+[ \t]+\\(.*\\)\\'" line)
    (format "*%s*" (string-trim-left (string-replace "*" "" (passepartout-text--trim-end
                                                             (match-string 1 line) '(?\s ?\t ?#))))))
   ((string-match "\\`\\([ \t]*\\)\\*[ \t]+\\(.*\\)\\'" line)
    (concat (match-string 1 line) "- " (passepartout-text--spans (match-string 2 line))))
   ((string-match-p "\\`[ \t]*#\\+" line) (concat ": " line))
   (t (passepartout-text--spans line))))

(defun passepartout-text-answer (text plain)
  "Return the answer TEXT as Org; its lines as they are where it is PLAIN."
  (let ((text (passepartout-text-clean text)) (fence nil))
    (if plain
        (passepartout-text-quote text)
      (concat
       (mapconcat
        (lambda (line)
          (cond
           ((string-match "\\`[ \t]*\\(```+\\|~~~+\\)[ \t]*\\([[:alnum:]+#_-]*\\)" line)
            (if fence
                (prog1 (concat "#+end_" fence) (setq fence nil))
              (let ((language (match-string 2 line)))
                (setq fence (if (string= language "") "example" "src"))
                (string-trim-right (concat "#+begin_" fence " " language)))))
           (fence (if (string-match-p "\\`[ \t]*,*\\(\\*\\|#\\+\\)" line) (concat "," line) line))
           (t (let ((prose (passepartout-text--prose line)))
                ;; Only your messages are headlines.
                (if (string-match-p "\\`\\*+[ \t]" prose) (concat "," prose) prose)))))
        (split-string (passepartout-text--trim-end text '(?\s ?\t ?\n)) "\n") "\n")
       (and fence (concat "\n#+end_" fence))
       "\n"))))

(provide 'passepartout-text)
;;; passepartout-text.el ends here
