;;; passepartout-follow.el --- Notes into the inbox, and the focus at point  -*- lexical-binding: t -*-

;; This file is not part of GNU Emacs.

;;; Commentary:

;; A note is filed as /note does it in the conversation.  While
;; `passepartout-follow-mode' is on, the focus of the agent is what you look at,
;; if that is a note or a file of the conversation's folder.

;;; Code:

(require 'passepartout-views)

;;;; Capture

(defvar-local passepartout-capture--sent nil "Non-nil while the note is on its way.")

(defvar passepartout-capture-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'passepartout-capture-file)
    (define-key map (kbd "C-c C-k") #'passepartout-capture-drop)
    map)
  "Keys of a note that is not filed yet.")

(define-derived-mode passepartout-capture-mode text-mode "Passepartout-Note"
  "A note that goes into the inbox.

\\{passepartout-capture-mode-map}"
  (setq passepartout-chat--input (copy-marker (point-min)))
  (add-hook 'after-change-functions #'passepartout-chat--mark-pasted nil t)
  (setq-local header-line-format " A note for the inbox.  C-c C-c files it, C-c C-k drops it"))

;;;###autoload
(defun passepartout-capture (&optional text)
  "Write a note for the inbox, which begins with TEXT: the active region, if any."
  (interactive (list (and (use-region-p)
                          (buffer-substring-no-properties (region-beginning) (region-end)))))
  (let ((chat (passepartout-views-conversation)))
    (pop-to-buffer (generate-new-buffer "*passepartout note*"))
    (passepartout-capture-mode)
    (setq passepartout-views--chat chat)
    (when text
      (insert "\n" text)
      (put-text-property (point-min) (point-max) 'passepartout-pasted t)
      (goto-char (point-min)))))

(defun passepartout-capture-file ()
  "File this note, and say where it is."
  (interactive)
  (let ((text (string-trim (buffer-substring-no-properties (point-min) (point-max))))
        (pastes (cl-remove-if #'string-blank-p (mapcar #'string-trim (passepartout-chat--pastes))))
        (chat (passepartout-views-conversation))
        (buffer (current-buffer)))
    (when (string= text "") (user-error "Write something first"))
    (when passepartout-capture--sent (user-error "It is on its way"))
    (setq passepartout-capture--sent t
          header-line-format " On its way to the inbox: it closes once it is filed")
    (with-current-buffer chat
      (passepartout-chat-say (concat "/note " text) pastes
                             (lambda (form) (passepartout-capture--filed buffer form)) t))
    (set-buffer-modified-p nil)
    (quit-window)))

(defun passepartout-capture--filed (buffer form)
  "Tell what became of the note in BUFFER, by FORM; one that is not filed stays."
  (let* ((done (eq :ANSWERED (passepartout-wire-get form :PAYLOAD :OUTCOME)))
         (text (passepartout-text-line (or (passepartout-wire-get form :PAYLOAD :TEXT) ""))))
    (when (buffer-live-p buffer)
      (if done
          (kill-buffer buffer)
        (with-current-buffer buffer
          (setq passepartout-capture--sent nil
                header-line-format " It was NOT filed.  C-c C-c tries again, C-c C-k drops it"))))
    (if done
        (message "Passepartout: %s" text)
      (message "Passepartout did not file the note, which is in %s: %s"
               (if (buffer-live-p buffer) (buffer-name buffer) "no buffer any more") text))))

(defun passepartout-capture-drop ()
  "Drop this note."
  (interactive)
  (quit-window t))

;;;; The focus

(defcustom passepartout-follow-delay 1.0
  "How long you do nothing before the focus follows, in seconds."
  :type 'number
  :group 'passepartout)

(defvar passepartout-follow--timer nil "The timer that looks where the point is.")
(defvar passepartout-follow--told nil "What each conversation was told last, by its buffer.")
(defvar passepartout-follow--waits nil "The conversation that has not answered yet.")
(defvar-local passepartout-follow--folders nil "The folder of the conversation and those of the notes.")

;;;###autoload
(define-minor-mode passepartout-follow-mode
  "Have the agent's focus follow the point.
The conversation is told the file and the headline at point, if the file is
one of your notes or in its folder; of other files nothing is told."
  :global t
  :group 'passepartout
  (when passepartout-follow--timer (cancel-timer passepartout-follow--timer))
  (setq passepartout-follow--timer nil
        passepartout-follow--waits nil)
  (if passepartout-follow-mode
      (setq passepartout-follow--timer
            (run-with-idle-timer passepartout-follow-delay t #'passepartout-follow--look))
    (pcase-dolist (`(,chat . ,_) passepartout-follow--told)
      (when (buffer-live-p chat) (passepartout-views-ask chat '(:ACTION :FOCUS :OFF T) #'ignore)))
    (setq passepartout-follow--told nil)))

(defun passepartout-follow--look ()
  "Tell the conversation what is at point, unless it was told that already.
This happens once Emacs is idle, and when an answer has come meanwhile."
  (with-demoted-errors "Passepartout: %S"
    (with-current-buffer (window-buffer (selected-window))
      (when-let* ((file (and passepartout-follow-mode buffer-file-name (not (buffer-live-p passepartout-follow--waits))
                             (not (file-remote-p buffer-file-name))
                             (file-truename buffer-file-name)))
                  (chat (passepartout-follow--chat file))
                  (place (passepartout-follow--place file)))
        (setq passepartout-follow--told
              (cl-remove-if-not (lambda (one) (buffer-live-p (car one))) passepartout-follow--told))
        (unless (equal place (cdr (assq chat passepartout-follow--told)))
          (setf (alist-get chat passepartout-follow--told) place
                passepartout-follow--waits chat)
          (passepartout-views-ask chat (append '(:ACTION :FOCUS) place)
                                  (lambda (_)
                                    (setq passepartout-follow--waits nil)
                                    (passepartout-follow--look))))))))

(defun passepartout-follow--place (file)
  "Return the place of the point in FILE as keys of a message."
  (append (list :FILE file)
          (if (not (derived-mode-p 'org-mode))
              (list :LINE (line-number-at-pos nil t))
            (when-let* ((outline (passepartout-follow--outline)))
              (list :OUTLINE outline)))))

(defun passepartout-follow--outline ()
  "Return the titles of the headline at point and those above it."
  (org-with-wide-buffer
   (unless (org-before-first-heading-p)
     (org-back-to-heading t)
     (let ((titles (list (or (nth 4 (org-heading-components)) ""))))
       (while (org-up-heading-safe)
         (push (or (nth 4 (org-heading-components)) "") titles))
       (mapcar #'substring-no-properties titles)))))

(defun passepartout-follow--chat (file)
  "Return the conversation that is told of FILE.
That is the one in whose folder the file is, else of a note the one that
was used last, else none."
  (let ((chats (cl-remove-if-not #'passepartout-follow--known-p (passepartout-views--chats))))
    (or (cl-find-if (lambda (chat) (file-in-directory-p file (car (passepartout-follow--folders-of chat)))) chats)
        (cl-find-if (lambda (chat)
                      (cl-some (lambda (folder) (file-in-directory-p file folder))
                               (cdr (passepartout-follow--folders-of chat))))
                    chats))))

(defun passepartout-follow--folders-of (chat)
  "Return the folders of CHAT that are known."
  (buffer-local-value 'passepartout-follow--folders chat))

(defun passepartout-follow--known-p (chat)
  "Return non-nil if the folders of CHAT are known; else ask for them, once."
  (with-current-buffer chat
    (unless passepartout-follow--folders
      (setq passepartout-follow--folders 'asked)
      (passepartout-views-ask chat '(:ACTION :OVERVIEW)
                              (lambda (payload) (passepartout-follow--learn chat payload))))
    (consp passepartout-follow--folders)))

(defun passepartout-follow--learn (chat payload)
  "Note the folders of CHAT, which the overview PAYLOAD has, and look again."
  (when (buffer-live-p chat)
    (let ((data (passepartout-wire-get payload :DATA)))
      (with-current-buffer chat
        (setq passepartout-follow--folders
              (and data (cons (or (passepartout-wire-get data :WORKSPACE) default-directory)
                              (passepartout-wire-list data :NOTES-FOLDERS)))))
      (when data (passepartout-follow--look)))))

(provide 'passepartout-follow)
;;; passepartout-follow.el ends here
