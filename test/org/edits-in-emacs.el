;;; Applies rows of operations to texts of Org and prints what came of them, one JSON string a line.  -*- lexical-binding: t -*-
;; Usage: emacs -Q --batch [-L ORG/lisp] -l edits-in-emacs.el -- CASES.jsonl
;; A case is {"now","text","ops","drawer","done"}; the drawer may be a name, and done may be "note". The clock stands at "now"; ids count up; prompts are answered yes, notes are empty.
(require 'org) (require 'org-id) (require 'org-clock) (require 'org-archive) (require 'org-refile) (require 'org-habit)
(require 'org-duration) (require 'json) (require 'cl-lib)
(setq org-inhibit-startup t enable-local-variables nil org-mode-hook nil make-backup-files nil create-lockfiles nil
      vc-handled-backends nil org-adapt-indentation nil org-id-track-globally nil org-clock-persist nil
      org-use-fast-todo-selection nil org-clock-auto-clock-resolution nil)

(defvar edits-now nil)
(defvar edits-ids 0)

(defun edits-goto (at)
  (goto-char (point-min))
  (catch 'found
    (while (re-search-forward org-outline-regexp-bol nil t)
      (beginning-of-line)
      (when (member at (list (org-get-heading t t t t) (org-entry-get (point) "ID"))) (throw 'found t))
      (end-of-line))
    (error "No heading %s" at)))

(defun edits-apply (o)
  (let* ((get (lambda (key) (cdr (assq key o)))) (at (funcall get 'at)) (value (funcall get 'value)))
    (when at (edits-goto at))
    (pcase (funcall get 'op)
      ("todo" (org-todo (if (equal (funcall get 'state) "") 'none (funcall get 'state))))
      ("schedule" (if (equal value "") (org-schedule '(4)) (org-schedule nil value)))
      ("deadline" (if (equal value "") (org-deadline '(4)) (org-deadline nil value)))
      ("tags" (org-set-tags value))
      ("priority" (org-priority (if (equal value "") 'remove (string-to-char value))))
      ("put" (org-entry-put (point) (funcall get 'key) value))
      ("delete-property" (org-entry-delete (point) (funcall get 'key)))
      ("id" (org-id-get-create))
      ("clock-in" (org-clock-in))
      ("clock-out" (org-clock-out nil t edits-now))
      ("archive-tag" (org-toggle-archive-tag))
      ("archive-sibling" (org-archive-to-archive-sibling))
      ("refile" (let ((pos (save-excursion (edits-goto (funcall get 'to)) (point))))
                  (edits-goto at)
                  (org-refile nil nil (list (funcall get 'to) (buffer-file-name) nil pos))))
      ("checkbox" (goto-char (point-min)) (forward-line (1- (funcall get 'line))) (org-toggle-checkbox)))))

(defmacro edits-at-time (&rest body)
  "Runs BODY with the clock standing still, the clock of C functions included."
  `(cl-letf* (,@(mapcar (lambda (f) `((symbol-function ',f)
                                      (let ((real (symbol-function ',f))) (lambda (&optional a &rest r) (apply real (or a edits-now) r)))))
                        '(time-to-days float-time decode-time))
              ,@(mapcar (lambda (f) `((symbol-function ',f)
                                      (let ((real (symbol-function ',f))) (lambda (a b) (funcall real (or a edits-now) (or b edits-now))))))
                        '(time-less-p time-subtract time-add))
              ((symbol-function 'format-time-string)
               (let ((real (symbol-function 'format-time-string))) (lambda (f &optional a z) (funcall real f (or a edits-now) z))))
              ((symbol-function 'current-time) (lambda () edits-now))
              ((symbol-function 'org-current-time) (lambda (&rest _) edits-now))
              ((symbol-function 'org-today) (lambda () (time-to-days edits-now)))
              ((symbol-function 'org-id-new) (lambda (&rest _) (format "id-new-%d" (cl-incf edits-ids))))
              ((symbol-function 'y-or-n-p) (lambda (&rest _) t))
              ((symbol-function 'save-buffer) #'ignore)
              ((symbol-function 'org-add-log-setup)
               (let ((real (symbol-function 'org-add-log-setup)))
                 (lambda (&optional purpose state before how extra) (funcall real purpose state before (if (eq how 'note) 'time how) extra)))))
     ,@body))

(defun edits-run (c)
  (setq edits-now (org-time-string-to-time (cdr (assq 'now c))) edits-ids 0 org-log-setup nil
        org-log-into-drawer (let ((drawer (cdr (assq 'drawer c)))) (if (stringp drawer) drawer (eq drawer t)))
        org-log-done (pcase (cdr (assq 'done c)) ('t 'time) ("note" 'note))
        org-clock-history nil org-clock-leftover-time nil org-clock-out-time nil)
  (with-temp-buffer
    (insert (cdr (assq 'text c)))
    (setq buffer-file-name (expand-file-name "edits-in-emacs.org" temporary-file-directory))
    (delay-mode-hooks (org-mode))
    (edits-at-time
     (seq-doseq (o (cdr (assq 'ops c)))
       (condition-case err (edits-apply o) (error (when (getenv "EDIT_SAY") (message "%S %S" o err))))
       (when (bound-and-true-p org-log-setup) (org-add-log-note))))
    (move-marker org-clock-marker nil)
    (setq buffer-file-name nil)
    (set-buffer-modified-p nil)
    (buffer-string)))

(let ((file (car (delete "--" command-line-args-left))) (inhibit-message (not (getenv "EDIT_SAY"))))
  (setq command-line-args-left nil)
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents file))
    (let ((coding-system-for-write 'utf-8-unix))
      (while (progn (skip-chars-forward "\n") (not (eobp)))
        (princ (concat (json-encode (edits-run (json-read))) "\n"))))))
