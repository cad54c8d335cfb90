;;; tree-in-emacs.el --- The syntax trees of files, as Emacs has them  -*- lexical-binding: t -*-
;; emacs -Q --batch -l tree-in-emacs.el -- FILE...
;; Prints a JSON array a file: of each element and object, in the order of the text, an array of type, begin, end, contents' begin and end, blanks behind it.
(require 'json)
(require 'org)
(require 'org-element)
(require 'oc nil t)

(setq enable-local-variables nil
      org-inhibit-startup t
      vc-handled-backends nil
      org-element-use-cache (version<= "9.6" org-version)
      org-element-cache-persistent nil)

(defun passepartout-offset (position)
  "POSITION from 0; null stays null."
  (and position (1- position)))

(defun passepartout-nodes (tree)
  "A vector for each node of TREE."
  (let (nodes)
    (org-element-map tree (append org-element-all-elements org-element-all-objects)
      (lambda (node)
        (push (vector (symbol-name (org-element-type node))
                      (passepartout-offset (org-element-property :begin node))
                      (passepartout-offset (org-element-property :end node))
                      (passepartout-offset (org-element-property :contents-begin node))
                      (passepartout-offset (org-element-property :contents-end node))
                      (or (org-element-property :post-blank node) 0))
              nodes)))
    (vconcat (nreverse nodes))))

(dolist (file command-line-args-left)
  (unless (equal file "--")
    (with-temp-buffer
      (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents file))
      (delay-mode-hooks (org-mode))
      (princ (concat (json-encode (passepartout-nodes (org-element-parse-buffer))) "\n")))))
(setq command-line-args-left nil)
