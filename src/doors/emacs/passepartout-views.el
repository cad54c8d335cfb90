;;; passepartout-views.el --- Lists of notes in buffers  -*- lexical-binding: t -*-

;; This file is not part of GNU Emacs.

;;; Commentary:

;; The agenda, a query, a search and the backlinks of a note, each in a buffer.
;; A list asks over the connection of a conversation, page by page, and its
;; lines open notes.  What stands in it is text: nothing of it is evaluated.

;;; Code:

(require 'cl-lib)
(require 'org)
(require 'passepartout-chat)

(defcustom passepartout-views-most 1000
  "How many entries a list shows before you ask for more."
  :type 'natnum
  :group 'passepartout)

(defvar-local passepartout-views--chat nil "The conversation that this list asks.")
(defvar-local passepartout-views--title "" "What this list is of.")
(defvar-local passepartout-views--hint "RET opens, g asks again" "The keys that the first line names.")
(defvar-local passepartout-views--empty "" "What is said where there is no entry.")
(defvar-local passepartout-views--payload nil "The request that this list shows the answer to.")
(defvar-local passepartout-views--draw nil "The function that writes the entries of a page.")
(defvar-local passepartout-views--waits nil "The id of the request that is not answered yet.")
(defvar-local passepartout-views--count 0 "How many entries are shown.")
(defvar-local passepartout-views--total nil "How many there are; nil where that is not known.")
(defvar-local passepartout-views--next nil "Where the next page begins; nil where there is none.")
(defvar-local passepartout-views--room 0 "How many further entries are shown without a question.")
(defvar-local passepartout-views--basis nil
  "A function that returns what is drawn beside an answer.
Where that and the answer are as before, nothing is drawn anew.")
(defvar-local passepartout-views--shown nil "What is drawn, where `passepartout-views--basis' is set.")
(defvar-local passepartout-views--line nil "The line to go back to once it is there.")

(defvar passepartout-view-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map (kbd "RET") #'passepartout-views-open)
    (define-key map "n" #'passepartout-views-next)
    (define-key map "p" #'passepartout-views-previous)
    (define-key map "g" #'passepartout-views-refresh)
    (define-key map "+" #'passepartout-views-more)
    map)
  "Keys of a list.")

(define-derived-mode passepartout-view-mode special-mode "Passepartout-List"
  "A list of the agent's.

\\{passepartout-view-mode-map}"
  (setq-local truncate-lines t
              bidi-paragraph-direction 'left-to-right
              header-line-format '(:eval (passepartout-views--header))))

(defun passepartout-views--header ()
  "Return the first line: what the list is of, and how it stands."
  (concat " " (passepartout-text-line passepartout-views--title)
          (cond ((null passepartout-views--total) "")
                (passepartout-views--next (format " | %d of %d: + shows more" passepartout-views--count
                                                  passepartout-views--total))
                (t (format " | %d" passepartout-views--total)))
          " | " passepartout-views--hint
          (cond ((not (buffer-live-p passepartout-views--chat)) " | its conversation is closed: g opens one")
                ((not passepartout-views--waits) "")
                ((eq 'ready (passepartout-link-state (passepartout-views--link))) " | …")
                (t " | waits for the agent"))))

;;;; The conversation that is asked

(defun passepartout-views--chats ()
  "Return the conversations, the one that was used last first."
  (cl-remove-if-not (lambda (buffer) (eq 'passepartout-chat-mode (buffer-local-value 'major-mode buffer)))
                    (buffer-list)))

(defun passepartout-views-conversation ()
  "Return the conversation of this buffer, else the one that was used last.
Where there is none, open one in this folder."
  (let ((own (if (derived-mode-p 'passepartout-chat-mode) (current-buffer) passepartout-views--chat)))
    (cond ((buffer-live-p own) own)
          ((car (passepartout-views--chats)))
          (t (passepartout-chat-buffer (if (file-remote-p default-directory) "~/" default-directory) nil)))))

(defun passepartout-views--link ()
  "Return the connection of this list."
  (buffer-local-value 'passepartout-chat--link passepartout-views--chat))

(defun passepartout-views-ask (chat payload function)
  "Send the request PAYLOAD in CHAT, and call FUNCTION with the answer's payload.
Return the id of the request."
  (passepartout-link-ask (buffer-local-value 'passepartout-chat--link chat) :REQUEST payload
                         (lambda (form) (funcall function (passepartout-wire-get form :PAYLOAD)))))

;;;; Asking, and drawing what comes

(defun passepartout-views-show (mode name title payload draw &optional empty)
  "Show the answer to PAYLOAD in the buffer NAME, a list of MODE with TITLE.
DRAW gets the data of each page, and writes it.  EMPTY is said where it has
no entry."
  (let ((chat (passepartout-views-conversation)))
    (with-current-buffer (get-buffer-create name)
      (unless (eq major-mode mode) (funcall mode))
      (setq passepartout-views--chat chat
            passepartout-views--title title
            passepartout-views--payload payload
            passepartout-views--draw draw
            passepartout-views--empty (or empty "")
            default-directory (buffer-local-value 'default-directory chat))
      (passepartout-views-refresh))
    (pop-to-buffer name)))

(defun passepartout-views-refresh ()
  "Ask again for what this buffer lists."
  (interactive)
  (unless passepartout-views--payload (user-error "There is no list in this buffer"))
  (setq passepartout-views--chat (passepartout-views-conversation)
        passepartout-views--room passepartout-views-most)
  (passepartout-views--ask-page nil))

(defun passepartout-views--ask-page (cursor)
  "Ask for the page that begins at CURSOR; for the first one if it is nil."
  (let ((buffer (current-buffer)) (id nil))
    (setq id (passepartout-views-ask
              passepartout-views--chat
              (append passepartout-views--payload (and cursor (list :CURSOR cursor)))
              (lambda (payload)
                (when (buffer-live-p buffer)
                  (with-current-buffer buffer
                    ;; What was asked before is answered too, and shown no more.
                    (when (equal id passepartout-views--waits)
                      (setq passepartout-views--waits nil)
                      (passepartout-views--take payload (null cursor)))))))
          passepartout-views--waits id)
    (force-mode-line-update)))

(defun passepartout-views--take (payload first)
  "Show the answer PAYLOAD, the FIRST page if that is non-nil."
  (cond
   ((eq (passepartout-wire-get payload :CODE) :NOTES-CHANGED) (passepartout-views--ask-page nil))
   ((not (and first passepartout-views--basis
              (equal passepartout-views--shown
                     (setq passepartout-views--shown (list payload (funcall passepartout-views--basis))))))
    (let* ((inhibit-read-only t)
           (data (passepartout-wire-get payload :DATA))
           (notes (and (eq (passepartout-wire-get payload :CODE) :NOTES) data))
           (text (or (passepartout-wire-get payload :TEXT) ""))
           (window (get-buffer-window nil t)))
      (when first
        (setq passepartout-views--line (line-number-at-pos (if window (window-point window) (point)))
              passepartout-views--count 0)
        (erase-buffer))
      (save-excursion
        (goto-char (point-max))
        (funcall passepartout-views--draw data)
        (when (and first notes (= (point-min) (point-max)))
          (insert (propertize (concat passepartout-views--empty "\n") 'face 'shadow)))
        (when (and first (not (string= text ""))
                   (or notes (and (null data) (= (point-min) (point-max)))))
          (insert (passepartout-text-clean text) "\n")))
      (let ((count (length (passepartout-wire-list notes :ENTRIES))))
        (cl-incf passepartout-views--count count)
        (cl-decf passepartout-views--room count))
      (setq passepartout-views--total (passepartout-wire-get notes :TOTAL)
            passepartout-views--next (passepartout-wire-get notes :NEXT))
      (set-buffer-modified-p nil)
      (passepartout-views--go-back)
      (when (and passepartout-views--next (> passepartout-views--room 0))
        (passepartout-views--ask-page passepartout-views--next)))))
  (force-mode-line-update))

(defun passepartout-views--go-back ()
  "Go to the line where the point was, once there is such a line."
  (when (and passepartout-views--line
             (or (null passepartout-views--next)
                 (<= passepartout-views--line (line-number-at-pos (point-max)))))
    (goto-char (point-min))
    (forward-line (1- passepartout-views--line))
    ;; A list begins with the title of a group.
    (when (and (bobp) (null (get-text-property (point) 'passepartout-entry)))
      (ignore-errors (passepartout-views-next)))
    (setq passepartout-views--line nil)
    (dolist (window (get-buffer-window-list nil nil t)) (set-window-point window (point)))))

(defun passepartout-views-more ()
  "Show further entries of this list."
  (interactive)
  (unless passepartout-views--next (user-error "That is all"))
  (when passepartout-views--waits (user-error "More is on its way"))
  (setq passepartout-views--room passepartout-views-most)
  (passepartout-views--ask-page passepartout-views--next))

(defun passepartout-views-insert (entry text &optional face)
  "Insert TEXT, the lines of ENTRY, in FACE."
  (let ((start (point)))
    (insert text "\n")
    (add-text-properties start (point) (list 'passepartout-entry entry 'mouse-face 'highlight))
    (when face (put-text-property start (point) 'face face))))

;;;; Moving, and opening notes

(defun passepartout-views-entry ()
  "Return the entry at point; it is an error where there is none."
  (or (get-text-property (point) 'passepartout-entry) (user-error "There is no entry on this line")))

(defun passepartout-views-next ()
  "Go to the next entry."
  (interactive)
  (let ((place (point)) (here (get-text-property (point) 'passepartout-entry)) entry)
    (while (and (< place (point-max)) (or (null entry) (eq entry here)))
      (setq place (next-single-property-change place 'passepartout-entry nil (point-max))
            entry (get-text-property place 'passepartout-entry)))
    (unless entry (user-error "That was the last entry"))
    (goto-char place)))

(defun passepartout-views-previous ()
  "Go to the beginning of this entry, or to the one before."
  (interactive)
  (let ((place (point)) entry)
    (while (and (> place (point-min)) (null entry))
      (setq place (previous-single-property-change place 'passepartout-entry nil (point-min))
            entry (get-text-property place 'passepartout-entry)))
    (unless entry (user-error "That was the first entry"))
    (goto-char place)))

(defun passepartout-views-open ()
  "Open the note of this line in another window."
  (interactive)
  (passepartout-views-open-entry (passepartout-views-entry)))

(defun passepartout-views-open-entry (entry)
  "Open the note that ENTRY names, by its ID or by its place."
  (let ((file (passepartout-wire-get entry :FILE))
        (id (passepartout-wire-get entry :ID))
        (begin (passepartout-wire-get entry :BEGIN)))
    (unless (stringp file)
      (user-error "It is in no file: %s"
                  (passepartout-text-line (or (passepartout-wire-get entry :NEXT)
                                              (passepartout-wire-get entry :TEXT)
                                              (passepartout-wire-get entry :TITLE)))))
    (passepartout-chat--open-file file)
    (let ((place (or (and (stringp id) (derived-mode-p 'org-mode) (org-find-property "ID" id))
                     (and (integerp begin) (min (1+ begin) (1+ (buffer-size)))))))
      (when place
        (unless (<= (point-min) place (point-max)) (widen))
        (goto-char place)
        (when (derived-mode-p 'org-mode) (org-reveal))))))

;;;; The lists

(defun passepartout-views--field (entry key &optional form)
  "Return what ENTRY has under KEY as a part of a line; empty where it has nothing.
FORM is a format for it."
  (let ((value (passepartout-wire-get entry key)))
    (if (or (memq value '(nil :NULL :FALSE)) (equal value ""))
        ""
      (format (or form "%s") (passepartout-text-line value)))))

(defun passepartout-views--agenda-face (entry)
  "Return the face of ENTRY of an agenda."
  (pcase (passepartout-wire-get entry :TYPE)
    ((guard (eq 'T (passepartout-wire-get entry :DONE))) 'org-done)
    ((or "deadline" "past-scheduled" "problem" "question" "failed" "missed") 'org-warning)
    ((or "upcoming-deadline" "budget" "put-off") 'org-upcoming-deadline)
    ("scheduled" 'org-scheduled)
    (_ 'default)))

(defun passepartout-views--day (date)
  "Return DATE, such as 2026-03-02, in words."
  (let ((parts (mapcar #'string-to-number (split-string date "-"))))
    (format-time-string "%A %e %B %Y"
                        (encode-time (list 0 0 12 (nth 2 parts) (nth 1 parts) (nth 0 parts) nil -1 nil)))))

(defun passepartout-views--new-group (group text)
  "Insert TEXT as the title of GROUP unless the lines before are of it."
  (unless (and (> (point) (point-min))
               (equal group (get-text-property (1- (point)) 'passepartout-group)))
    (when (> (point) (point-min)) (insert "\n"))
    (insert (propertize (concat text "\n") 'face 'org-agenda-structure))))

(defun passepartout-views--insert-in (group entry text face)
  "Insert TEXT of ENTRY in FACE as a line of GROUP."
  (let ((start (point)))
    (passepartout-views-insert entry text face)
    (put-text-property start (point) 'passepartout-group group)))

(defun passepartout-views--draw-agenda (data)
  "Write the page DATA of an agenda."
  (dolist (entry (passepartout-wire-list data :ENTRIES))
    (let ((date (passepartout-wire-get entry :DATE)))
      (passepartout-views--new-group date (passepartout-views--day date))
      (passepartout-views--insert-in
       date entry
       (concat (format "  %-10s " (truncate-string-to-width (passepartout-views--field entry :CATEGORY) 10))
               (passepartout-views--field entry :TIME "%-6s ")
               (passepartout-views--field entry :EXTRA "%s ")
               (replace-regexp-in-string " \\{3,\\}" "  " (or (passepartout-wire-get entry :TITLE) "")
                                         #'passepartout-text-line))
       (passepartout-views--agenda-face entry)))))

(defun passepartout-views--file (entry)
  "Return the short name of the file of ENTRY."
  (let ((file (passepartout-wire-get entry :FILE)))
    (if file (passepartout-text-line (abbreviate-file-name file)) "said, or kept by the agent")))

(defun passepartout-views--draw-matches (data)
  "Write the page DATA of a query."
  (dolist (entry (passepartout-wire-list data :ENTRIES))
    (let ((tags (passepartout-wire-list entry :TAGS)))
      (passepartout-views--new-group (passepartout-wire-get entry :FILE) (passepartout-views--file entry))
      (passepartout-views--insert-in
       (passepartout-wire-get entry :FILE) entry
       (concat (make-string (* 2 (min 10 (or (passepartout-wire-get entry :LEVEL) 1))) ?\s)
               (passepartout-views--field entry :TODO "%s ")
               (passepartout-views--field entry :PRIORITY "[#%s] ")
               (passepartout-views--field entry :TITLE)
               (if tags (format "  :%s:" (mapconcat #'passepartout-text-line tags ":")) ""))
       (if (member (passepartout-wire-get entry :TODO) '(nil :NULL)) 'default 'org-scheduled)))))

(defun passepartout-views--draw-found (data)
  "Write the page DATA of a search, or of backlinks."
  (dolist (entry (passepartout-wire-list data :ENTRIES))
    (passepartout-views-insert
     entry
     (concat (passepartout-views--field entry :TITLE "%s  ")
             (propertize (format "(%s)" (passepartout-views--file entry)) 'face 'shadow)
             (passepartout-views--field entry :TEXT "\n    %s")))))

(defun passepartout-views--notes (view what)
  "Return the request for the list VIEW of WHAT."
  (list :ACTION :NOTES :VIEW view :WHAT what :LIMIT 100))

(defvar passepartout-agenda-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map passepartout-view-mode-map)
    (define-key map "f" #'passepartout-agenda-later)
    (define-key map "b" #'passepartout-agenda-earlier)
    (define-key map "." #'passepartout-agenda)
    map)
  "Keys of an agenda.")

(defvar-local passepartout-agenda--week 0 "How many weeks from today on the agenda begins.")

(define-derived-mode passepartout-agenda-mode passepartout-view-mode "Passepartout-Agenda"
  "What is due in your notes, and what of the agent waits for you.

\\{passepartout-agenda-mode-map}")

;;;###autoload
(defun passepartout-agenda (&optional day)
  "Show what is due in your notes in seven days from today on.
With a prefix argument, from DAY on, such as 2026-03-02, +3d or -1w."
  (interactive (list (and current-prefix-arg (read-string "From which day: "))))
  (passepartout-views-show 'passepartout-agenda-mode "*passepartout agenda*"
                           (concat "Agenda from " (or day "today"))
                           (passepartout-views--notes "agenda" (or day "today"))
                           #'passepartout-views--draw-agenda
                           "Nothing is due in these seven days (f and b show others).")
  (setq passepartout-agenda--week 0))

(defun passepartout-agenda-later (&optional weeks)
  "Show the agenda of the days after these, or of those WEEKS later."
  (interactive)
  (let ((week (+ passepartout-agenda--week (or weeks 1))))
    (passepartout-agenda (format "%+dd" (* 7 week)))
    (setq passepartout-agenda--week week)))

(defun passepartout-agenda-earlier ()
  "Show the agenda of the days before these."
  (interactive)
  (passepartout-agenda-later -1))

;;;###autoload
(defun passepartout-query (expression)
  "List the headlines of your notes that match EXPRESSION.
It has the syntax of matches in Org's agenda, such as +work-boss,
TODO=\"NEXT\" or \"some text\"."
  (interactive "sMatch (such as +work-boss): ")
  (passepartout-views-show 'passepartout-view-mode "*passepartout query*" (concat "Query " expression)
                           (passepartout-views--notes "query" expression)
                           #'passepartout-views--draw-matches "No headline matches."))

;;;###autoload
(defun passepartout-search (words)
  "List the notes, and what was said, that WORDS find, best first."
  (interactive "sSearch for: ")
  (passepartout-views-show 'passepartout-view-mode "*passepartout search*" (concat "Search " words)
                           (passepartout-views--notes "search" words)
                           #'passepartout-views--draw-found "No note has these words, and nobody said them."))

;;;###autoload
(defun passepartout-backlinks ()
  "List the notes that link to the note at point."
  (interactive)
  (let* ((entry (and (derived-mode-p 'passepartout-view-mode) (get-text-property (point) 'passepartout-entry)))
         (id (cond (entry (passepartout-wire-get entry :ID))
                   ((derived-mode-p 'org-mode) (org-entry-get nil "ID" t)))))
    (unless (stringp id)
      (user-error "There is no note with an ID here (M-x org-id-get-create gives it one)"))
    (passepartout-views-show 'passepartout-view-mode "*passepartout backlinks*" (concat "Links to " id)
                             (passepartout-views--notes "backlinks" id)
                             #'passepartout-views--draw-found
                             (format "No note links to it yet.  A link is written [[id:%s]]." id))))

(provide 'passepartout-views)
;;; passepartout-views.el ends here
