;;; outline-in-emacs.el --- What Emacs's commands say of the headlines of files  -*- lexical-binding: t -*-
;; emacs -Q --batch -l outline-in-emacs.el -- FILE...
;; Prints a JSON array a headline: file, line, title, TODO word, whether it is done, tags, own tags, planning and properties.
;; Not the category, of which old versions know only once they have refreshed their text properties.
(require 'json)
(require 'org)
(require 'org-element)

(setq enable-local-variables nil
      org-inhibit-startup t
      vc-handled-backends nil)

(defun passepartout-plain (value)
  "VALUE without text properties; lists as arrays."
  (cond ((stringp value) (substring-no-properties value))
        ((listp value) (and value (vconcat (mapcar #'passepartout-plain value))))
        (t value)))

(defun passepartout-headline (file)
  "Print what is known of the headline at point, in FILE."
  (let* ((special (org-entry-properties (point) 'special))
         (standard (assoc-delete-all "CATEGORY" (org-entry-properties (point) 'standard)))
         (planned (mapcar (lambda (name) (cdr (assoc name special))) '("SCHEDULED" "DEADLINE" "CLOSED"))))
    (princ
     (concat
      (json-encode
       (vector file (line-number-at-pos) (passepartout-plain (org-get-heading t t t t))
               (passepartout-plain (org-get-todo-state))
               (if (member (org-get-todo-state) org-done-keywords) t json-false)
               (vconcat (mapcar #'passepartout-plain (org-get-tags)))
               (vconcat (mapcar #'passepartout-plain (org-get-tags nil t)))
               (vconcat (mapcar #'passepartout-plain planned))
               (vconcat (mapcar (lambda (pair) (vector (car pair) (passepartout-plain (cdr pair))))
                                (sort standard (lambda (a b) (string< (car a) (car b))))))))
      "\n"))))

(dolist (file command-line-args-left)
  (unless (equal file "--")
    (with-temp-buffer
      (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents file))
      (setq buffer-file-name file)
      (set-buffer-modified-p nil)
      (delay-mode-hooks (org-mode))
      (goto-char (point-min))
      (while (re-search-forward org-outline-regexp-bol nil t)
        (beginning-of-line)
        (passepartout-headline (file-name-nondirectory file))
        (end-of-line))
      (setq buffer-file-name nil)
      (set-buffer-modified-p nil))))
(setq command-line-args-left nil)
