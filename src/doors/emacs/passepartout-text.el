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
  "[\x00-\x08\x0B-\x1F\x7F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\xE0000-\xE01EF]"
  "What a person would not see, or not where it stands.")

(defun passepartout-text-visible (text)
  "Return TEXT with everything that is hidden in it spelled out."
  (replace-regexp-in-string
   passepartout-text--hidden (lambda (found) (format "<U+%04X>" (aref found 0))) text t t))

(defun passepartout-text-clean (text)
  "Return TEXT without control characters and what reorders text.
Joiners and variants of signs stay."
  (replace-regexp-in-string "[\x00-\x08\x0B-\x1F\x7F-\u009F\u202A-\u202E\u2066-\u2069]" "" text t t))

(defun passepartout-text-quote (text &optional mark)
  "Return the lines of TEXT, each behind MARK.
By default that is the mark of fixed width in Org."
  (let ((mark (or mark ": ")))
    (mapconcat (lambda (line) (concat mark line "\n"))
               (split-string (string-trim-right text "\n+") "\n") "")))

;;;; Values

(defun passepartout-text-name (symbol)
  "Return the name of the key or word SYMBOL."
  (downcase (replace-regexp-in-string "^:\\|[|\\]" "" (symbol-name symbol))))

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
                   (list (format "%s %s (+%s -%s)" (passepartout-wire-get change :CHANGE)
                                 (passepartout-wire-get change :PATH)
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
                       unless (memq key '(:KIND :TARGET :LABEL :REVERSAL)) append (list key value))))
    (cons (format "- %s %s (%s)" (passepartout-wire-get effect :KIND)
                  (passepartout-wire-get effect :TARGET)
                  (pcase (passepartout-wire-get effect :REVERSAL)
                    ("undoable" "can be undone")
                    ("compensable" "can be compensated, not undone")
                    (_ "CANNOT be undone")))
          (and rest (passepartout-text-lines rest "    ")))))

(defun passepartout-text-question (form)
  "Return the question FORM as a text: all that a yes would do, and why it asks."
  (let* ((payload (passepartout-wire-get form :PAYLOAD))
         (get (lambda (key) (passepartout-wire-get payload key)))
         (action (funcall get :ACTION))
         (expires (funcall get :EXPIRES-AT-MS))
         (claim (passepartout-wire-get action :EXPLANATION)))
    (passepartout-text-quote
     (passepartout-text-visible
      (string-join
       (append
        (list (concat "MAY IT DO THIS?" (and (funcall get :WORKSPACE)
                                             (concat "  in " (funcall get :WORKSPACE)))))
        (passepartout-text-lines (passepartout-wire-get action :PAYLOAD) "  ")
        (when-let* ((changes (passepartout-wire-list payload :CHANGES)))
          (cons "What would change:" (passepartout-text-changes changes)))
        (list "Effects:")
        (cl-mapcan #'passepartout-text--effect (copy-sequence (passepartout-wire-list payload :EFFECTS)))
        (list (concat "Asked because: " (funcall get :TEXT)))
        (cl-loop for line in (passepartout-wire-list form :GATE-TRACE)
                 when (eq (passepartout-wire-get line :RESULT) :APPROVAL)
                 collect (format "Gate %s: %s" (passepartout-wire-get line :GATE)
                                 (passepartout-wire-get line :REASON)))
        (when (funcall get :HABIT) (list (concat (funcall get :HABIT) " Read this one.")))
        (when claim (list (concat "The agent says: " claim)))
        (list (concat "y: yes, once   n: no   w: no, and why"
                      (and expires (format-time-string "\n(It waits until %F %H:%M; then that is a no.)"
                                                       (/ expires 1000)))))) "\n"))
     "│ ")))

;;;; Answers

(defun passepartout-text--spans (line)
  "Return LINE of Markdown with its emphasis, code and links as Org writes them."
  (let ((start 0) (parts nil))
    (while (string-match "`\\([^`]+\\)`\\|\\*\\*\\([^*]+\\)\\*\\*\\|\\[\\([^]]+\\)\\](\\([^) ]+\\))" line start)
      (push (substring line start (match-beginning 0)) parts)
      (push (cond ((match-string 1 line) (format "~%s~" (match-string 1 line)))
                  ((match-string 2 line) (format "*%s*" (match-string 2 line)))
                  (t (format "[[%s][%s]]" (match-string 4 line) (match-string 3 line))))
            parts)
      (setq start (match-end 0)))
    (apply #'concat (nreverse (cons (substring line start) parts)))))

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
           ((string-match "\\`#+[ \t]+\\(.*?\\)[ \t#]*\\'" line)
            (concat "*" (replace-regexp-in-string "\\*" "" (match-string 1 line)) "*"))
           ((string-match "\\`\\([ \t]*\\)\\*[ \t]+\\(.*\\)\\'" line)
            (concat (match-string 1 line) "- " (passepartout-text--spans (match-string 2 line))))
           ((string-match-p "\\`\\*+[ \t]" line) (concat "," line))
           ((string-match-p "\\`[ \t]*#\\+" line) (concat ": " line))
           (t (passepartout-text--spans line))))
        (split-string (string-trim-right text) "\n") "\n")
       (and fence (concat "\n#+end_" fence))
       "\n"))))

(provide 'passepartout-text)
;;; passepartout-text.el ends here
