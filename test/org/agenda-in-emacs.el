;;; agenda-in-emacs.el --- What Emacs's agenda and its matches say of files  -*- lexical-binding: t -*-
;; emacs -Q --batch -l agenda-in-emacs.el -- agenda TODAY FROM DAYS FILE...
;; emacs -Q --batch -l agenda-in-emacs.el -- match TODAY QUERIES FILE...   (a file with a query a line)
;; Prints a JSON array a line. TODAY (YYYY-MM-DD) is taken for the current day, at noon.
(require 'cl-lib)
(require 'json)
(require 'org)
(require 'org-agenda)
(require 'org-habit)
(require 'org-duration)

(setq enable-local-variables nil
      org-inhibit-startup t
      vc-handled-backends nil)

(defun passepartout-day (text)
  "The absolute number of a day, written YYYY-MM-DD."
  (let ((parts (mapcar #'string-to-number (split-string text "-"))))
    (calendar-absolute-from-gregorian (list (nth 1 parts) (nth 2 parts) (nth 0 parts)))))

(defun passepartout-print (&rest values)
  "Print VALUES as a line, without text properties."
  (princ (concat (json-encode (vconcat (mapcar (lambda (value) (if (stringp value) (substring-no-properties value) value)) values))) "\n")))

(defun passepartout-text (entry property)
  "The text that ENTRY has as PROPERTY, or nothing."
  (let ((value (get-text-property 0 property entry)))
    (if (stringp value) value "")))

(defun passepartout-agenda (from days files)
  "Print the entries of DAYS days from FROM on, for each of FILES."
  (setq org-agenda-files files)
  (org-agenda-prepare-buffers files)
  (dotimes (offset days)
    (let* ((date (calendar-gregorian-from-absolute (+ (passepartout-day from) offset)))
           (day (format "%04d-%02d-%02d" (nth 2 date) (nth 0 date) (nth 1 date))))
      (dolist (file files)
        (condition-case problem
            (dolist (entry (org-agenda-get-day-entries file date :deadline :scheduled :timestamp))
              (let ((marker (or (get-text-property 0 'org-hd-marker entry) (get-text-property 0 'org-marker entry))))
                (passepartout-print day (file-name-nondirectory file)
                                    (with-current-buffer (marker-buffer marker) (1- (marker-position marker)))
                                    (passepartout-text entry 'type) (passepartout-text entry 'txt)
                                    (passepartout-text entry 'todo-state)
                                    (passepartout-text entry 'time) (passepartout-text entry 'extra))))
          (error (passepartout-print day (file-name-nondirectory file) "problem")))))))

(defun passepartout-match (queries files)
  "Print where each of QUERIES matches in FILES."
  (dolist (query queries)
    (dolist (file files)
      (with-current-buffer (find-file-noselect file)
        ;; `org-map-entries' reads the query before it looks at the file: the groups of tags would be those of the file before.
        (org-agenda-prepare-buffers (list file))
        (org-map-entries
         (lambda () (passepartout-print query (file-name-nondirectory file) (1- (point))))
         query 'file)))))

(pcase-let* ((`(,what ,today ,argument . ,rest) (delete "--" command-line-args-left))
             (noon (apply #'encode-time 0 0 12 (nreverse (mapcar #'string-to-number (split-string today "-")))))
             (float-time (symbol-function 'float-time))
             (decode-time (symbol-function 'decode-time)))
  (setq command-line-args-left nil)
  (cl-letf (((symbol-function 'current-time) (lambda () noon))
            ((symbol-function 'org-current-time) (lambda (&rest _) noon))
            ((symbol-function 'org-today) (lambda () (passepartout-day today)))
            ((symbol-function 'float-time) (lambda (&optional time) (funcall float-time (or time noon))))
            ((symbol-function 'decode-time) (lambda (&optional time &rest more) (apply decode-time (or time noon) more)))
            ;; Nothing of a file is evaluated.
            ((symbol-function 'org-diary-sexp-entry) #'ignore))
    (pcase what
      ("agenda" (passepartout-agenda argument (string-to-number (car rest)) (mapcar #'expand-file-name (cdr rest))))
      ("match" (passepartout-match (with-temp-buffer (insert-file-contents argument) (split-string (buffer-string) "\n" t))
                                   (mapcar #'expand-file-name rest))))))
