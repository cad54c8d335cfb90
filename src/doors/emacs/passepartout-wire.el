;;; passepartout-wire.el --- The connection to the agent  -*- lexical-binding: t -*-

;; This file is not part of GNU Emacs.

;;; Commentary:

;; Frames, forms and the proof of docs/wire.md, and a connection that comes
;; back by itself: what was not acknowledged is sent again under the same id.

;;; Code:

(require 'cl-lib)
(require 'subr-x)

(defgroup passepartout nil
  "A personal agent that lives in your plain-text files."
  :group 'applications
  :prefix "passepartout-")

(defcustom passepartout-program nil
  "The program that starts the agent; nil for the one that this file came with."
  :type '(choice (const :tag "The one that this file came with" nil) file))

(defconst passepartout-wire--folder
  (file-name-directory (or load-file-name buffer-file-name default-directory))
  "The folder of this file.")

(defvar passepartout-wire-handlers nil
  "Functions that answer what the agent asks Emacs itself, by the action.
Each gets the payload and returns that of its answer.")

;;;; Frames and forms

(defun passepartout-wire-frame (form)
  "Return the frame with FORM in it."
  (let* ((print-length nil)
         (print-level nil)
         (print-circle nil)
         (print-escape-newlines nil)
         (print-escape-nonascii nil)
         (print-escape-control-characters nil)
         (body (replace-regexp-in-string "[\xD800-\xDFFF\x110000-\x3FFFFF]" "\uFFFD"
                                         (prin1-to-string form))))
    (format "%06X%s" (length body) body)))

(defun passepartout-wire-next-form (most)
  "Take the form of the first whole frame out of this buffer; nil if none is whole.
A frame may have MOST characters."
  (goto-char (point-min))
  (skip-chars-forward " \t\n\r")
  (delete-region (point-min) (point))
  (when (> (point-max) 6)
    (unless (looking-at "[[:xdigit:]]\\{6\\}")
      (error "What answers on the socket does not speak the protocol of Passepartout"))
    (let* ((length (string-to-number (match-string 0) 16))
           (end (+ 7 length)))
      (when (> length most) (error "The agent sent a frame that is too long"))
      (when (>= (point-max) end)
        (let* ((body (buffer-substring-no-properties 7 end))
               (found (read-from-string body)))
          (unless (= (cdr found) (length body)) (error "A frame holds more than its form"))
          (delete-region 1 end)
          (car found))))))

(defun passepartout-wire-get (form &rest keys)
  "Return what stands in FORM under KEYS, one inside the other; nil for NIL."
  (dolist (key keys)
    (setq form (and (consp form) (plist-get form key))))
  (if (eq form 'NIL) nil form))

(defun passepartout-wire-list (form &rest keys)
  "Return the list in FORM under KEYS; nil where there is none."
  (let ((found (apply #'passepartout-wire-get form keys)))
    (and (consp found) found)))

;;;; The proof

(defun passepartout-wire--bytes (digits)
  "Return the bytes that hexadecimal DIGITS spell."
  (apply #'unibyte-string
         (cl-loop for at from 0 below (length digits) by 2
                  collect (string-to-number (substring digits at (+ at 2)) 16))))

(defun passepartout-wire--hmac (key text)
  "Return the HMAC-SHA-256 of the ASCII TEXT under KEY, in digits.
KEY has at most 64 bytes."
  (let* ((padded (concat key (make-string (- 64 (length key)) 0)))
         (with (lambda (byte) (apply #'unibyte-string (mapcar (lambda (one) (logxor one byte)) padded))))
         (inner (secure-hash 'sha256 (concat (funcall with #x36) text) nil nil t)))
    (secure-hash 'sha256 (concat (funcall with #x5c) inner))))

(defun passepartout-wire-proof (secret who server-nonce client-nonce)
  "Return the proof of WHO by the digits of SECRET, SERVER-NONCE and CLIENT-NONCE."
  (passepartout-wire--hmac (passepartout-wire--bytes secret)
                           (concat "passepartout/1 " who " " server-nonce client-nonce)))

(defvar passepartout-wire--seed nil "Random bytes of the system, and how often they were used.")

(defun passepartout-wire-random ()
  "Return 64 hexadecimal digits that nobody can guess."
  (unless passepartout-wire--seed
    (setq passepartout-wire--seed
          (cons (with-temp-buffer
                  (set-buffer-multibyte nil)
                  (let ((coding-system-for-read 'no-conversion)
                        (default-directory "/"))
                    (call-process "head" "/dev/urandom" t nil "-c" "32"))
                  (unless (= (buffer-size) 32) (error "/dev/urandom gives no random bytes"))
                  (buffer-string))
                0)))
  (secure-hash 'sha256 (format "%S %d" (car passepartout-wire--seed)
                               (cl-incf (cdr passepartout-wire--seed)))))

;;;; Where the agent is

(defun passepartout-wire--absolute (name)
  "Return the value of the variable NAME, if that is an absolute path."
  (let ((value (getenv name)))
    (and value (file-name-absolute-p value) (not (string-prefix-p "~" value)) value)))

(defun passepartout-wire-state-folder ()
  "Return the state folder of the agent."
  (expand-file-name "passepartout" (or (passepartout-wire--absolute "XDG_STATE_HOME") "~/.local/state")))

(defun passepartout-wire--held-socket ()
  "Return the socket that the agent noted in its state folder.
It is nil where none of this user is there."
  (let ((note (expand-file-name "lock.socket" (passepartout-wire-state-folder))))
    (when (file-regular-p note)
      (let ((socket (with-temp-buffer
                      (insert-file-contents note)
                      (and (looking-at "\\`\\(/[^\n]+\\)\n\\'") (match-string 1)))))
        (and socket (equal (file-attribute-user-id (file-attributes socket)) (user-uid)) socket)))))

(defun passepartout-wire-socket ()
  "Return the path of the agent's socket."
  (or (passepartout-wire--held-socket) (passepartout-wire--usual-socket)))

(defun passepartout-wire--usual-socket ()
  "Return the path at which an agent of this Emacs would listen."
  (let ((runtime (passepartout-wire--absolute "XDG_RUNTIME_DIR")))
    (expand-file-name "passepartout.sock"
                      (if (and runtime (file-directory-p runtime))
                          (expand-file-name "passepartout" runtime)
                        (expand-file-name "run" (passepartout-wire-state-folder))))))

(defun passepartout-wire--secret ()
  "Return the digits of the secret.
It is an error where there is none, or other users can read it."
  (let* ((file (expand-file-name "wire-secret" (passepartout-wire-state-folder)))
         (modes (file-modes file)))
    (cond
     ((null modes) (signal 'file-missing (list "There is no secret" file)))
     ((/= 0 (logand modes #o077)) (error "Other users can read the secret %s: its mode must be 600" file)))
    (with-temp-buffer
      (insert-file-contents-literally file)
      (unless (looking-at "\\`[0-9a-f]\\{64\\}\n\\'")
        (error "%s is no secret: remove it, and start the agent again" file))
      (buffer-substring 1 65))))

(defun passepartout-wire-program ()
  "Return the path of the program, or fail with what is missing."
  (let* ((root (locate-dominating-file passepartout-wire--folder "bin/passepartout"))
         (beside (and root (seq-find (lambda (file) (and (file-regular-p file) (file-executable-p file)))
                                     (list (expand-file-name "passepartout" root)
                                           (expand-file-name "bin/passepartout" root))))))
    (or (executable-find (or passepartout-program beside "passepartout"))
        (error "There is no program %s: install Passepartout, or set passepartout-program"
               (or passepartout-program "passepartout")))))

;;;; The connection

(cl-defstruct (passepartout-link (:copier nil))
  "A session with the agent, over as many connections as needed.
LISTENER is called with a kind and what belongs to it: `ready' and the
version, `away', `opened' and the status, `accepted' with an
id and a turn, `refused' and the words that are not sent again, `told' and
words, `message' and a form."
  workspace wanted listener process version proof session opening timer starter
  (state 'away) (pending nil) (asked nil) (turns nil) (parts nil) (failures 0) (lost-at nil) (told nil))

(defun passepartout-link--tell (link kind &rest what)
  "Call the listener of LINK with KIND and WHAT; a fault of it ends nothing."
  (with-demoted-errors "Passepartout: %S"
    (apply (passepartout-link-listener link) kind what)))

(defun passepartout-link-open (link)
  "Connect LINK now, and again whenever the connection is lost."
  (when-let* ((timer (passepartout-link-timer link))) (cancel-timer timer))
  (setf (passepartout-link-timer link) nil)
  (condition-case fault
      (progn
        (passepartout-wire--secret)
        (let ((process (make-network-process
                        :name "passepartout" :family 'local :service (passepartout-wire-socket)
                        :buffer (generate-new-buffer " *passepartout wire*" t)
                        :coding '(utf-8-unix . utf-8-unix) :noquery t)))
          (setf (passepartout-link-process link) process
                (passepartout-link-state link) 'greeting)
          (set-process-sentinel process (lambda (one _) (passepartout-link--ended link one nil)))
          (set-process-filter process (lambda (one text) (passepartout-link--receive link one text)))))
    ;; Nobody listens: an agent is started.  What else is wrong only a person mends.
    (file-error (passepartout-link--lost link nil t))
    (error (passepartout-link--lost link (error-message-string fault) nil))))

(defun passepartout-link-close (link)
  "End LINK for good."
  (setf (passepartout-link-listener link) #'ignore)
  (when-let* ((timer (passepartout-link-timer link))) (cancel-timer timer))
  (setf (passepartout-link-timer link) 'closed)
  (when-let* ((process (passepartout-link-process link))) (delete-process process)))

(defun passepartout-link--ended (link process reason)
  "Connect LINK again, since PROCESS ended, for REASON if that is known."
  ;; To kill its buffer ends it again, for no reason.
  (set-process-sentinel process #'ignore)
  (when (buffer-live-p (process-buffer process)) (kill-buffer (process-buffer process)))
  (when (eq process (passepartout-link-process link))
    (setf (passepartout-link-process link) nil)
    (delete-process process)
    (passepartout-link--lost link reason nil)))

(defun passepartout-link--lost (link reason absent)
  "Have LINK, which was lost, try again after a pause that grows.
REASON, where there is any, is told.  If ABSENT is non-nil, nothing answered."
  (unless (eq (passepartout-link-timer link) 'closed)
    (let ((was-ready (eq (passepartout-link-state link) 'ready))
          (pause (min 5.0 (* 0.05 (expt 2 (min 10 (cl-incf (passepartout-link-failures link))))))))
      (setf (passepartout-link-state link) 'away
            (passepartout-link-opening link) nil
            (passepartout-link-parts link) nil
            (passepartout-link-lost-at link) (or (passepartout-link-lost-at link) (float-time))
            (passepartout-link-timer link) (run-at-time pause nil #'passepartout-link-open link))
      (when (or was-ready (not absent)) (passepartout-link--tell link 'away))
      (when reason (passepartout-link--tell-once link reason))
      (when absent (passepartout-link--start link)))))

(defun passepartout-link--start (link)
  "Start an agent for LINK, unless one that was there may be starting again."
  (let* ((file (passepartout-link-starter link))
         (said (if (and file (file-exists-p file))
                   (with-temp-buffer (insert-file-contents file) (buffer-string))
                 "")))
    (when (string-match "^ended [0-9]+\n\\'" said)
      (delete-file file)
      (setf (passepartout-link-starter link) nil)
      (passepartout-link--tell-once link (string-trim (substring said 0 (match-beginning 0)))))
    (when (and (null (passepartout-link-starter link))
               (or (null (passepartout-link-session link))
                   (> (- (float-time) (passepartout-link-lost-at link)) 3)))
      (condition-case fault
          (let ((default-directory (passepartout-link-workspace link))
                (program (passepartout-wire-program)))
            (unless (file-directory-p default-directory)
              (error "There is no folder %s any more" default-directory))
            (setq file (make-temp-file "passepartout-start"))
            (setf (passepartout-link-starter link) file)
            (call-process "sh" nil 0 nil "-c"
                          "\"$0\" daemon --while-used 2>\"$1\" >&2; echo \"ended $?\" >>\"$1\""
                          program file))
        (error (passepartout-link--tell-once link (error-message-string fault)))))))

(defun passepartout-link--tell-once (link text)
  "Tell the listener of LINK why there is no agent: TEXT.
The same text is told once until an agent is there."
  (unless (or (string= text "") (member text (passepartout-link-told link)))
    (push text (passepartout-link-told link))
    (passepartout-link--tell link 'told text)))

;;;; What comes

(defun passepartout-link--receive (link process text)
  "Take TEXT that came for LINK over PROCESS."
  (when (buffer-live-p (process-buffer process))
    (condition-case fault
        (let (form)
          (with-current-buffer (process-buffer process)
            (goto-char (point-max))
            (insert text))
          (while (and (buffer-live-p (process-buffer process))
                      (setq form (with-current-buffer (process-buffer process)
                                   (passepartout-wire-next-form
                                    (if (eq (passepartout-link-state link) 'ready) #xFFFFFF #x10000)))))
            (passepartout-link--take link process form)))
      (error (passepartout-link--ended link process (error-message-string fault))))))

(defun passepartout-link--take (link process form)
  "Take FORM that came for LINK over PROCESS."
  (pcase (list (passepartout-link-state link) (passepartout-wire-get form :TYPE)
               (passepartout-wire-get form :PAYLOAD :ACTION))
    (`(,_ :PROTOCOL-ERROR ,_) (passepartout-link--refused link form))
    ('(greeting :EVENT :HANDSHAKE) (passepartout-link--greet link process form))
    ('(proving :RESPONSE :AUTHENTICATED)
     (unless (equal (passepartout-wire-get form :PAYLOAD :MAC) (passepartout-link-proof link))
       (error "Another program listens where the agent is expected: %s" (passepartout-wire-socket)))
     (passepartout-link--proved link))
    (`(ready ,_ ,_) (passepartout-link--join link form))
    (_ (error "What answers on the socket does not speak the protocol of Passepartout"))))

(defun passepartout-link--greet (link process form)
  "Answer the handshake FORM of PROCESS with the proof of LINK."
  (unless (equal (passepartout-wire-get form :PAYLOAD :PROTOCOL) 1)
    (error "The agent speaks another protocol: install the passepartout.el of its version"))
  (let ((secret (passepartout-wire--secret))
        (server (passepartout-wire-get form :PAYLOAD :NONCE))
        (client (passepartout-wire-random)))
    (setf (passepartout-link-proof link) (passepartout-wire-proof secret "server" server client)
          (passepartout-link-version link) (passepartout-wire-get form :PAYLOAD :VERSION)
          (passepartout-link-state link) 'proving)
    (process-send-string
     process
     (passepartout-wire-frame
      (list :TYPE :REQUEST :META '(:SOURCE :EMACS)
            :PAYLOAD (append (list :ACTION :AUTHENTICATE :NONCE client
                                   :MAC (passepartout-wire-proof secret "client" server client)
                                   :WORKSPACE (directory-file-name
                                               (expand-file-name (passepartout-link-workspace link))))
                             (if (memq :BUFFERS (passepartout-wire-list form :PAYLOAD :CAPABILITIES))
                                 (list :CAPABILITIES '(:BUFFERS :STREAM)
                                       :PROCESS (emacs-pid) :HOST (system-name))
                               '(:CAPABILITIES (:STREAM)))))))))

(defun passepartout-link--proved (link)
  "Open the session of LINK, whose ends have proved themselves."
  (setf (passepartout-link-state link) 'ready
        (passepartout-link-failures link) 0
        (passepartout-link-lost-at link) nil
        (passepartout-link-told link) nil
        (passepartout-link-opening link) (passepartout-wire-random))
  (when-let* ((file (passepartout-link-starter link)))
    (delete-file file)
    (setf (passepartout-link-starter link) nil))
  (passepartout-link--tell link 'ready (passepartout-link-version link))
  (passepartout-link--post link (list :TYPE :REQUEST :ID (passepartout-link-opening link)
                                      :PAYLOAD (append '(:ACTION :SESSION)
                                                       (if (passepartout-link-session link)
                                                           (list :NAME (passepartout-link-session link))
                                                         (passepartout-link-wanted link))))))

(defun passepartout-link--refused (link form)
  "Fail with FORM, by which the agent of LINK ends the connection.
The message that it is about is not repeated."
  (let ((text (passepartout-wire-get form :PAYLOAD :TEXT)))
    (unless (memq (passepartout-wire-get form :PAYLOAD :CODE)
                  '(:SLOW-READER :TOO-MANY-CONNECTIONS :WRONG-PROOF :PROOF-TIMEOUT :FRAME-TIMEOUT
                    :STATE-GONE :OTHER-PROTOCOL :SOURCE :WORKSPACE :FAULT))
      (when-let* ((first (pop (passepartout-link-pending link))))
        (unless (passepartout-link--answer link (car first) form)
          (passepartout-link--tell link 'refused (car first) text))))
    (error "%s" text)))

(defun passepartout-link--join (link form)
  "Take FORM that came for LINK, and what came in parts when it is whole."
  (let* ((payload (passepartout-wire-get form :PAYLOAD))
         (part (passepartout-wire-get payload :PART)))
    (if (not (integerp part))
        (passepartout-link--settle link form)
      (let* ((key (list (plist-get form :TYPE) (plist-get form :ID) (plist-get form :META)))
             (parts (cons form (cdr (assoc key (passepartout-link-parts link))))))
        (setf (passepartout-link-parts link)
              (cl-remove key (passepartout-link-parts link) :key #'car :test #'equal))
        (if (< part (passepartout-wire-get payload :OF))
            (push (cons key parts) (passepartout-link-parts link))
          (let* ((all (reverse parts))
                 (text (mapconcat (lambda (one) (or (passepartout-wire-get one :PAYLOAD :TEXT) "")) all "")))
            (passepartout-link--settle
             link (plist-put (copy-sequence (car all)) :PAYLOAD
                             (plist-put (copy-sequence (plist-get (car all) :PAYLOAD)) :TEXT text)))))))))

(defun passepartout-link--settle (link form)
  "Note in LINK what FORM settles, and hand FORM on."
  (let* ((payload (passepartout-wire-get form :PAYLOAD))
         (action (passepartout-wire-get payload :ACTION))
         (turn (passepartout-wire-get form :META :TURN-ID))
         (id (or (passepartout-wire-get form :ID) (passepartout-wire-get payload :ID))))
    (cond
     ((alist-get action passepartout-wire-handlers)
      (passepartout-link--post link (list :TYPE :REQUEST
                                          :PAYLOAD (funcall (alist-get action passepartout-wire-handlers) payload))))
     ((and (eq action :SESSION) (equal id (passepartout-link-opening link)))
      (setf (passepartout-link-session link) (passepartout-wire-get form :META :SESSION-ID)
            (passepartout-link-opening link) nil)
      (passepartout-link--tell link 'opened payload)
      (dolist (one (passepartout-link-pending link)) (passepartout-link--send-one link (cdr one)))
      (dolist (one (passepartout-link-turns link))
        (passepartout-link--send-one link (passepartout-link--follow one))))
     ((eq action :ACCEPTED)
      (when (or turn (eq :EVENT (plist-get (cdr (assoc id (passepartout-link-pending link))) :TYPE)))
        (passepartout-link--forget link id))
      (when turn
        (cl-pushnew turn (passepartout-link-turns link) :test #'equal)
        (when-let* ((asked (assoc id (passepartout-link-asked link)))) (setcar asked turn)))
      (passepartout-link--tell link 'accepted id turn (passepartout-wire-get payload :WORDS)))
     (t
      (when (eq (passepartout-wire-get form :TYPE) :RESPONSE)
        (if turn
            (setf (passepartout-link-turns link) (delete turn (passepartout-link-turns link)))
          (passepartout-link--forget link id)))
      (unless (and (eq (passepartout-wire-get form :TYPE) :RESPONSE)
                   (passepartout-link--answer link (or turn id) form))
        (passepartout-link--tell link 'message form))))))

(defun passepartout-link--answer (link key form)
  "Give FORM to the function of LINK that waits for the answer to KEY.
Return non-nil if that was a request, whose answer nobody else is told."
  (when-let* ((asked (assoc key (passepartout-link-asked link))))
    (setf (passepartout-link-asked link) (delq asked (passepartout-link-asked link)))
    (pcase-let ((`(,_ ,type ,function) asked))
      (with-demoted-errors "Passepartout: %S" (funcall function form))
      (eq type :REQUEST))))

;;;; What is sent

(defun passepartout-link--follow (turn)
  "Return the request to be told how TURN stands."
  (list :TYPE :REQUEST :ID (passepartout-wire-random) :PAYLOAD (list :ACTION :FOLLOW :TURN turn)))

(defun passepartout-link--forget (link id)
  "Never send the message of LINK with this ID again."
  (setf (passepartout-link-pending link)
        (cl-remove id (passepartout-link-pending link) :key #'car :test #'equal)))

(defun passepartout-link--post (link form)
  "Send FORM over the connection of LINK.
A connection that breaks is noticed by its end."
  (when-let* ((process (passepartout-link-process link)))
    (ignore-errors (process-send-string process (passepartout-wire-frame form)))))

(defun passepartout-link--send-one (link form)
  "Send FORM in the session of LINK."
  (passepartout-link--post link (append form (list :META (list :SESSION-ID (passepartout-link-session link))))))

(defun passepartout-link-send (link type payload)
  "Send a message of TYPE with PAYLOAD over LINK until it is acknowledged.
Return its id."
  (let* ((id (passepartout-wire-random))
         (form (list :TYPE type :ID id :PAYLOAD payload)))
    (setf (passepartout-link-pending link) (append (passepartout-link-pending link) (list (cons id form))))
    (when (and (eq (passepartout-link-state link) 'ready)
               (passepartout-link-session link)
               (null (passepartout-link-opening link)))
      (passepartout-link--send-one link form))
    id))

(defun passepartout-link-ask (link type payload function)
  "Send a message of TYPE with PAYLOAD over LINK, like `passepartout-link-send'.
FUNCTION is called once with the form that answers it: a response, of the
turn if it began one, or a protocol error.  Return the id of the message."
  (let ((id (passepartout-link-send link type payload)))
    (push (list id type function) (passepartout-link-asked link))
    id))

(provide 'passepartout-wire)
;;; passepartout-wire.el ends here
