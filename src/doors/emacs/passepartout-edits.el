;;; passepartout-edits.el --- Edits of the agent in unsaved buffers  -*- lexical-binding: t -*-

;; This file is not part of GNU Emacs.

;;; Commentary:

;; A file with unsaved changes is not written by the agent.  It asks for the
;; text of the buffer instead, and then for exact replacements in it, which are
;; made all or none, as one change that undo takes back, and are not saved.

;;; Code:

(require 'cl-lib)
(require 'passepartout-wire)

(defconst passepartout-edits--longest 4000000
  "A buffer of more characters is not sent, since it fills a frame.")

(defun passepartout-edits--buffer (path)
  "Return the buffer that visits the file with the real PATH on this machine."
  (cl-find-if
   (lambda (buffer)
     (let ((file (buffer-local-value 'buffer-file-name buffer))
           (real (buffer-local-value 'buffer-file-truename buffer)))
       (and file real (not (file-remote-p file)) (equal path (expand-file-name real)))))
   (buffer-list)))

(defun passepartout-edits--eol ()
  "Return how the lines of this buffer end in its file; nil if only a CR does."
  (pcase (coding-system-eol-type (or buffer-file-coding-system 'undecided)) (1 "crlf") (2 nil) (_ "lf")))

(defun passepartout-edits--coding ()
  "Return how the characters of this buffer are written to its file."
  (coding-system-base (or buffer-file-coding-system 'undecided)))

(defun passepartout-edits--refusal ()
  "Return why the agent gets and edits nothing of this buffer; nil if it may."
  (cond
   ((not (buffer-modified-p)) :SAVED)
   (buffer-read-only :READ-ONLY)
   ((buffer-narrowed-p) :NARROWED)
   ((eq buffer-undo-list t) :NO-UNDO)
   ((> (buffer-size) passepartout-edits--longest) :TOO-LONG)
   ((or (not enable-multibyte-characters)
        ;; What is written is not what stands in the buffer, as with encrypted files.
        (find-file-name-handler buffer-file-name 'write-region)
        buffer-file-format
        (not (memq (passepartout-edits--coding) '(utf-8 utf-8-with-signature prefer-utf-8 undecided us-ascii)))
        (null (passepartout-edits--eol))
        (save-excursion
          (goto-char (point-min))
          (re-search-forward "[\xD800-\xDFFF\x110000-\x3FFFFF]" nil t)))
    :NOT-TEXT)))

(defun passepartout-edits--digest ()
  "Return the SHA-256 of the text of this buffer in UTF-8, in digits."
  (secure-hash 'sha256 (encode-coding-string (buffer-substring-no-properties (point-min) (point-max))
                                             'utf-8-unix)))

(defun passepartout-edits--text (_)
  "Return the text of this buffer, and how it is saved."
  (list :TEXT (buffer-substring-no-properties (point-min) (point-max))
        :EOL (passepartout-edits--eol)
        :BOM (if (eq (passepartout-edits--coding) 'utf-8-with-signature) 'T 'NIL)))

(defun passepartout-edits--edit (request)
  "Make the replacements of REQUEST, if this buffer has the text they are for.
Undo takes them back in one step.  Where one fails none is made."
  (cond
   ((> (* 1000 (float-time)) (passepartout-wire-get request :EXPIRES-AT-MS)) '(:REFUSED :EXPIRED))
   ((not (equal (passepartout-edits--digest) (passepartout-wire-get request :DIGEST))) '(:REFUSED :CHANGED))
   (t (let ((group (prepare-change-group)) (made nil))
        (undo-boundary)
        (unwind-protect
            (condition-case nil
                (progn
                  (activate-change-group group)
                  (passepartout-edits--replace (passepartout-wire-list request :REPLACEMENTS))
                  (undo-amalgamate-change-group group)
                  (setq made t))
              (error nil))
          (if made (accept-change-group group) (cancel-change-group group)))
        (undo-boundary)
        (if made '(:DONE T) '(:REFUSED :FAILED))))))

(defun passepartout-edits--replace (replacements)
  "Make REPLACEMENTS, each a list of two places and a text, the last first.
The point and the marks stay where they were in the text around."
  (save-excursion
    (dolist (replacement (reverse replacements))
      (pcase-let ((`(,begin ,end ,text) replacement))
        ;; What points to the end of the old text then points to that of the new.
        (goto-char (1+ begin))
        (insert text)
        (delete-region (point) (+ (point) (- end begin)))))))

(defun passepartout-edits--answer (act payload)
  "Return the answer to PAYLOAD, for which ACT is called in the buffer of its file."
  (let* ((buffer (passepartout-edits--buffer (or (passepartout-wire-get payload :PATH) "")))
         (refusal (if buffer (with-current-buffer buffer (passepartout-edits--refusal)) :NO-BUFFER)))
    (append (list :ACTION :ANSWER-BUFFER :REQUEST (passepartout-wire-get payload :ID))
            (if refusal (list :REFUSED refusal)
              (with-current-buffer buffer (funcall act payload))))))

(defun passepartout-edits--answer-text (payload)
  "Return the answer to PAYLOAD, which asks for the text of a buffer."
  (passepartout-edits--answer #'passepartout-edits--text payload))

(defun passepartout-edits--answer-edit (payload)
  "Return the answer to PAYLOAD, which asks for an edit of a buffer."
  (passepartout-edits--answer #'passepartout-edits--edit payload))

(setf (alist-get :BUFFER-TEXT passepartout-wire-handlers) #'passepartout-edits--answer-text
      (alist-get :BUFFER-EDIT passepartout-wire-handlers) #'passepartout-edits--answer-edit)

(provide 'passepartout-edits)
;;; passepartout-edits.el ends here
