;;; Archives the entries with the ids me, me0, me1 ... of notes.org in each folder, at half past nine on 24 November 2026.  -*- lexical-binding: t -*-
;; Before Org 9.6 each new heading of a date tree gets a blank line; since then it depends on the headings around it.
;; Usage: emacs -Q --batch -l archive-in-emacs.el -- FOLDER...
(require 'org) (require 'org-archive) (require 'cl-lib)
(setq org-inhibit-startup t enable-local-variables nil org-mode-hook nil make-backup-files nil create-lockfiles nil
      vc-handled-backends nil org-adapt-indentation nil org-id-track-globally nil)
(require 'org-datetree)
(when (version< (org-version) "9.6")
  (advice-add 'org-datetree-insert-line :around
              (lambda (insert &rest date)
                (delete-region (save-excursion (skip-chars-backward " \t\n") (point)) (point))
                (let ((org-blank-before-new-entry (and (org--blank-before-heading-p) '((heading . t)))))
                  (apply insert date)))))
(let ((now (encode-time '(0 30 9 24 11 2026 nil -1 nil))))
  (cl-letf (((symbol-function 'format-time-string)
             (let ((real (symbol-function 'format-time-string))) (lambda (f &optional a z) (funcall real f (or a now) z)))))
    (dolist (folder (cdr (member "--" command-line-args)))
      (find-file (expand-file-name "notes.org" folder))
      (dolist (id '("me" "me0" "me1" "me2"))
        (goto-char (point-min))
        (when (re-search-forward (format "^:ID: +%s$" id) nil t)
          (org-back-to-heading t)
          (org-archive-subtree)))
      (save-some-buffers t))))
