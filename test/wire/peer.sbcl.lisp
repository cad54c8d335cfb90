;; A peer of the wire written with nothing but SBCL's own reader and printer.
;; Reads frames from one file, prints each form back into another, and after each perception it could answer says what a client would say.
(setf *read-eval* nil *print-pretty* nil)
(setf sb-impl::*default-external-format* :utf-8)

(defun read-frame (stream)
  (loop for char = (peek-char nil stream nil nil)
        while (member char '(#\Space #\Newline #\Tab #\Return))
        do (read-char stream))
  (let ((header (make-string 6)))
    (when (= 6 (read-sequence header stream))
      (let* ((length (parse-integer header :radix 16))
             (body (make-string length)))
        (unless (= length (read-sequence body stream)) (error "A frame is cut off."))
        (multiple-value-bind (form end) (read-from-string body)
          (unless (= end length) (error "A frame holds more than its form: ~a" body))
          form)))))

(defun write-frame (form stream)
  (let ((text (prin1-to-string form)))
    (format stream "~6,'0x~a" (length text) text)))

(defun answer (form)
  (list :type :event :id "from-sbcl"
        :meta (list :source :cli :session-id (getf (getf form :meta) :session-id "none"))
        :payload (list :sensor :user-input :text (getf (getf form :payload) :text "none"))))

(destructuring-bind (from to) (cdr *posix-argv*)
  (with-open-file (in from :external-format :utf-8)
    (with-open-file (out to :direction :output :if-exists :supersede :external-format :utf-8)
      (loop for form = (read-frame in)
            while form
            do (write-frame form out)
               (write-frame (answer form) out)))))
