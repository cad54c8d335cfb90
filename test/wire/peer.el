;;; peer.el --- A peer of the wire written with nothing but Emacs' own reader and printer  -*- lexical-binding: t -*-
;; Reads frames from one file, prints each form back into another, and after each says what a client would say.

(defun peer-read-frame ()
  "Read the form of the frame at point, or nil at the end."
  (skip-chars-forward " \n\t\r")
  (unless (eobp)
    (let* ((start (+ (point) 6))
           (end (+ start (string-to-number (buffer-substring (point) start) 16)))
           (body (buffer-substring-no-properties start end))
           (read (read-from-string body)))
      (unless (= (cdr read) (length body)) (error "A frame holds more than its form: %s" body))
      (goto-char end)
      (car read))))

(defun peer-frame (form)
  "A frame with FORM in it."
  (let ((text (prin1-to-string form)))
    (format "%06X%s" (length text) text)))

(defun peer-answer (form)
  "What a client would say after FORM."
  (list :TYPE :EVENT :ID "from-emacs"
        :META (list :SOURCE :EMACS :SESSION-ID (or (plist-get (plist-get form :META) :SESSION-ID) "none"))
        :PAYLOAD (list :SENSOR :USER-INPUT :TEXT (or (plist-get (plist-get form :PAYLOAD) :TEXT) "none"))))

(defun peer-proof (secret who server-nonce client-nonce)
  "The proof of WHO, by the SECRET's hexadecimal digits and both nonces."
  (let ((key (apply #'unibyte-string
                    (mapcar (lambda (at) (string-to-number (substring secret at (+ at 2)) 16))
                            (number-sequence 0 62 2)))))
    (mapconcat (lambda (byte) (format "%02x" byte))
               (gnutls-hash-mac 'SHA256 key (concat "passepartout/1 " who " " server-nonce client-nonce))
               "")))

(defun peer-main (from to)
  "Answer the frames in the file FROM in the file TO."
  (let ((coding-system-for-read 'utf-8-unix)
        (coding-system-for-write 'utf-8-unix)
        (answers nil))
    (with-temp-buffer
      (insert-file-contents from)
      (let (form)
        (while (setq form (peer-read-frame))
          (push (peer-frame form) answers)
          (push (peer-frame (peer-answer form)) answers))))
    (with-temp-file to
      (dolist (text (nreverse answers)) (insert text)))))
