;;; passepartout-review.el --- The review inbox in a buffer  -*- lexical-binding: t -*-

;; This file is not part of GNU Emacs.

;;; Commentary:

;; What jobs proposed, each with its whole change.  A proposal is accepted by a
;; key that was typed in this buffer, once all of it was on the screen.  The
;; decision goes into the conversation as its own turn, and is judged there.

;;; Code:

(require 'passepartout-views)

(defvar-local passepartout-review--last nil "The proposal that was decided on last, as its ID.")
(defvar-local passepartout-review--open nil "The IDs of the proposals that are unfolded.")

(defvar passepartout-review-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map passepartout-view-mode-map)
    (define-key map (kbd "RET") #'passepartout-review-toggle)
    (define-key map (kbd "TAB") #'passepartout-review-toggle)
    (define-key map "o" #'passepartout-views-open)
    (define-key map "a" #'passepartout-review-accept)
    (define-key map "r" #'passepartout-review-reject)
    (define-key map "u" #'passepartout-review-undo)
    map)
  "Keys of the review inbox.")

(define-derived-mode passepartout-review-mode passepartout-view-mode "Passepartout-Review"
  "What jobs proposed.

\\{passepartout-review-mode-map}"
  (setq-local truncate-lines nil
              word-wrap t
              passepartout-views--hint "RET shows all of it, a accepts, r rejects, u takes back"
              buffer-invisibility-spec '(passepartout))
  (add-hook 'post-command-hook #'passepartout-chat--after-command nil t))

;;;###autoload
(defun passepartout-review ()
  "Show the review inbox: what jobs proposed, and wait for you to accept."
  (interactive)
  (passepartout-views-show 'passepartout-review-mode "*passepartout review*" "Review inbox"
                           '(:ACTION :REVIEW :VERB "list") #'passepartout-review--draw))

(defun passepartout-review--draw (proposals)
  "Write PROPOSALS."
  (setq passepartout-chat--questions nil)
  (remove-overlays)
  (dolist (proposal (and (consp proposals) proposals))
    (let* ((files (passepartout-wire-list proposal :FILES))
           (entry (append (and files (list :FILE (passepartout-wire-get (car files) :PATH))) proposal))
           (start (point)))
      (passepartout-views-insert
       entry (concat (passepartout-views--field proposal :TITLE)
                     (propertize (concat (passepartout-views--field proposal :BY "  (%s")
                                         (if files (format ", %d file%s)" (length files) (if (cdr files) "s" "")) ")")
                                         (passepartout-review--mark proposal))
                                 'face 'shadow)))
      (let ((details (point)))
        (passepartout-views-insert entry (string-trim-right (passepartout-review--details proposal files)))
        (let ((whole (make-overlay start (point) nil t))
              (fold (make-overlay details (point) nil t)))
          (overlay-put whole 'passepartout-fold fold)
          (overlay-put whole 'passepartout-proposal proposal)
          (overlay-put whole 'passepartout-seen start)
          (passepartout-review--fold whole (not (member (passepartout-wire-get proposal :ID)
                                                        passepartout-review--open))))))))

(defun passepartout-review--mark (proposal)
  "Return what is to be known of PROPOSAL before anything else."
  (concat (if (equal (passepartout-wire-get proposal :INTEGRITY) "untrusted")
              " made from content of others" "")
          (if (equal (passepartout-wire-get proposal :SECRECY) "public") "" " private")))

(defun passepartout-review--details (proposal files)
  "Return all of PROPOSAL, with its change of FILES."
  (let ((next (passepartout-wire-get proposal :NEXT)))
    (passepartout-text-quote
     (passepartout-text-visible
      (string-join
       (append
        (list (passepartout-wire-get proposal :WHY))
        (let ((source (passepartout-wire-get proposal :SOURCE)))
          (and source (list (concat "From: " (passepartout-text-line source)))))
        (cl-loop for file in files
                 append (list (passepartout-text-line (passepartout-wire-get file :PATH))
                              (string-trim-right (or (passepartout-wire-get file :DIFF) ""))))
        (and (stringp next) (list (concat "To do by you: " next)))
        (list (if files "a: makes exactly this change   r: drops it"
                "a: notes that it is done   r: drops it")))
       "\n"))
     "  │ ")))

(defun passepartout-review--here ()
  "Return the proposal at point, as an overlay."
  (or (cl-find-if (lambda (one) (overlay-get one 'passepartout-proposal)) (overlays-at (point)))
      (user-error "There is no proposal here")))

(defun passepartout-review--fold (whole folded)
  "Hide the details of WHOLE if FOLDED is non-nil, else show them.
Only what is shown can be seen, and so accepted."
  (overlay-put (overlay-get whole 'passepartout-fold) 'invisible (and folded 'passepartout))
  (overlay-put whole 'passepartout-seen (overlay-start whole))
  (overlay-put whole 'passepartout-seen-at nil)
  (setq passepartout-chat--questions (delq whole passepartout-chat--questions))
  (unless folded (push whole passepartout-chat--questions)))

(defun passepartout-review-toggle ()
  "Show or hide the whole of the proposal at point."
  (interactive)
  (let* ((whole (passepartout-review--here))
         (id (passepartout-wire-get (overlay-get whole 'passepartout-proposal) :ID))
         (shown (memq whole passepartout-chat--questions)))
    (setq passepartout-review--open (remove id passepartout-review--open))
    (unless shown (push id passepartout-review--open))
    (passepartout-review--fold whole shown)
    (goto-char (overlay-start whole))))

;;;; Decisions

(defun passepartout-review-accept ()
  "Make the change that the proposal at point is, all of which was on the screen."
  (interactive)
  (let ((whole (passepartout-review--here)))
    (passepartout-chat-demand-key 'passepartout-review-accept passepartout-review-mode-map)
    (unless (memq whole passepartout-chat--questions)
      (user-error "Show it first (RET): nobody accepts what was not read"))
    (passepartout-chat-demand-seen whole)
    (passepartout-review--decide whole "accept")))

(defun passepartout-review-reject ()
  "Drop the proposal at point."
  (interactive)
  (let ((whole (passepartout-review--here)))
    (passepartout-chat-demand-key 'passepartout-review-reject passepartout-review-mode-map)
    (passepartout-review--decide whole "reject")))

(defun passepartout-review--decide (whole verb)
  "Say VERB of the proposal WHOLE in the conversation, in the form that was shown."
  (let* ((proposal (overlay-get whole 'passepartout-proposal))
         (id (passepartout-wire-get proposal :ID))
         (revision (passepartout-wire-get proposal :REVISION))
         (words (format "/review %s %s%s" verb id (if (stringp revision) (concat "@" revision) "")))
         (buffer (current-buffer)))
    (unless (buffer-live-p passepartout-views--chat)
      (user-error "Its conversation is closed: g opens one"))
    (setq passepartout-chat--questions (delq whole passepartout-chat--questions)
          passepartout-review--last id)
    (overlay-put whole 'passepartout-proposal nil)
    (overlay-put whole 'face 'shadow)
    (overlay-put whole 'after-string (propertize (format "  … %s\n" verb) 'face 'shadow))
    (with-current-buffer passepartout-views--chat
      (passepartout-chat-say words nil (lambda (form) (passepartout-review--decided buffer form))))))

(defun passepartout-review--decided (buffer form)
  "Tell in BUFFER what came of a decision, by FORM, and show what is left."
  (message "Passepartout: %s" (passepartout-text-line
                               (car (split-string (or (passepartout-wire-get form :PAYLOAD :TEXT) "") "\n"))))
  (when (buffer-live-p buffer)
    (with-current-buffer buffer (passepartout-views-refresh))))

(defun passepartout-review-undo ()
  "Take back the last decision that was made in this buffer."
  (interactive)
  (passepartout-chat-demand-key 'passepartout-review-undo passepartout-review-mode-map)
  (unless passepartout-review--last (user-error "Nothing was decided in this buffer"))
  (let ((buffer (current-buffer)))
    (passepartout-views-ask passepartout-views--chat
                            (list :ACTION :REVIEW :VERB "undo" :ID passepartout-review--last)
                            (lambda (payload) (passepartout-review--decided buffer (list :PAYLOAD payload))))))

(provide 'passepartout-review)
;;; passepartout-review.el ends here
