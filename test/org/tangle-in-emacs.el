;;; Tangles texts of Org and prints what came of them, a JSON object of names and contents a line.  -*- lexical-binding: t -*-
;; Usage: emacs -Q --batch -l tangle-in-emacs.el -- CASES.jsonl FOLDER
;; A case is a JSON string, which becomes FOLDER/N/note.org.
(require 'org) (require 'ob-tangle) (require 'ob-python) (require 'json)
(setq org-inhibit-startup t enable-local-variables nil org-mode-hook nil make-backup-files nil create-lockfiles nil
      vc-handled-backends nil org-confirm-babel-evaluate t inhibit-message t)

(let ((folder (caddr command-line-args-left)) (count 0) cases)
  (with-temp-buffer
    (insert-file-contents (cadr command-line-args-left))
    (while (not (eobp))
      (push (json-parse-string (buffer-substring (line-beginning-position) (line-end-position))) cases)
      (forward-line)))
  (dolist (text (nreverse cases))
    (let* ((own (expand-file-name (number-to-string (setq count (1+ count))) folder))
           (note (expand-file-name "note.org" own))
           (coding-system-for-write 'utf-8-unix) (coding-system-for-read 'utf-8-unix))
      (make-directory own t)
      (with-temp-file note (insert text))
      (let ((found (make-hash-table :test #'equal)))
        (dolist (file (condition-case problem (org-babel-tangle-file note) (error (princ (format "%S\n" problem) #'external-debugging-output) nil)))
          (puthash (file-relative-name file own)
                   (with-temp-buffer (insert-file-contents file) (buffer-string)) found))
        (princ (json-serialize found))
        (princ "\n")))))
