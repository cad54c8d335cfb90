;;; passepartout-chat.el --- A conversation with the agent in a buffer  -*- lexical-binding: t -*-

;; This file is not part of GNU Emacs.

;;; Commentary:

;; A buffer in Org: each of your messages is a headline with its answer below.
;; You type at its end; everything above is read-only.  A question of the agent
;; is answered by keys typed on it, and by nothing else.

;;; Code:

(require 'cl-lib)
(require 'json)
(require 'org)
(require 'passepartout-wire)
(require 'passepartout-text)

(defface passepartout-question '((t :inherit warning)) "The face of a question that waits."
  :group 'passepartout)

(defvar-local passepartout-chat--link nil "The connection of this buffer.")
(defvar-local passepartout-chat--status nil "What the first line says of the agent.")
(defvar-local passepartout-chat--prompt nil "A marker before the line that you type in.")
(defvar-local passepartout-chat--input nil "A marker where what you type begins.")
(defvar-local passepartout-chat--blocks nil "A table from ids of turns and messages to blocks.")
(defvar-local passepartout-chat--questions nil "The overlays of questions that wait.")
(defvar-local passepartout-chat--decisions nil "Questions that were answered, with each answer, by the ids of messages.")
(defvar passepartout-chat-told-hook nil
  "Hook that runs in a conversation whenever something came from the agent.")
(defvar-local passepartout-chat--burst nil "Non-nil if keys waited when the last command ended.")
(defvar-local passepartout-chat--key-time 0 "When the last command ended, in seconds.")

(defconst passepartout-chat--quiet 0.04
  "Nobody types another key so close to Enter or to an answer, in seconds.")
(defconst passepartout-chat--least-shown 0.5
  "A question that was on the screen for less was not read, in seconds.")

(cl-defstruct (passepartout-block (:copier nil))
  "What belongs to a message: its HEAD is an overlay, END and STREAM are markers.
SAID is what streamed since STREAM, the last part first.  CALLS is a list of
ids of calls with their overlays; WORDS is what was said."
  head end (stream nil) (said nil) (calls nil) (words nil))

(defvar passepartout-chat-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map text-mode-map)
    (define-key map (kbd "RET") #'passepartout-chat-return)
    (define-key map (kbd "C-j") #'newline)
    (define-key map (kbd "M-RET") #'newline)
    (define-key map (kbd "TAB") #'passepartout-chat-toggle)
    (define-key map (kbd "C-c C-c") #'passepartout-chat-send)
    (define-key map (kbd "C-c C-k") #'passepartout-chat-stop)
    (define-key map (kbd "<escape>") #'passepartout-chat-stop)
    (define-key map (kbd "ESC ESC") #'passepartout-chat-stop)
    (define-key map (kbd "C-c C-u") #'passepartout-chat-undo)
    (define-key map (kbd "C-c C-q") #'passepartout-chat-next-question)
    (define-key map (kbd "C-c C-o") #'passepartout-chat-open-link)
    (define-key map (kbd "C-c C-n") #'outline-next-visible-heading)
    (define-key map (kbd "C-c C-p") #'outline-previous-visible-heading)
    map)
  "Keys of a conversation.  None of them runs code that a text holds.")

(defvar passepartout-chat--question-map
  (let ((map (make-sparse-keymap)))
    (define-key map "y" #'passepartout-chat-yes)
    (define-key map "n" #'passepartout-chat-no)
    (define-key map "w" #'passepartout-chat-no-because)
    (define-key map " " #'scroll-up-command)
    map)
  "Keys that count on a question.")

(define-derived-mode passepartout-chat-mode org-mode "Passepartout"
  "A conversation with the agent.

\\{passepartout-chat-mode-map}"
  :after-hook (passepartout-chat--show-all)
  (setq-local passepartout-chat--status "connects"
              passepartout-chat--blocks (make-hash-table :test #'equal))
  (let ((inhibit-read-only t))
    (insert (propertize "\n> " 'read-only t 'front-sticky '(read-only) 'rear-nonsticky t)))
  (setq passepartout-chat--prompt (copy-marker (- (point-max) 2) t)
        passepartout-chat--input (copy-marker (point-max)))
  (setq buffer-undo-list nil)
  (add-hook 'after-change-functions #'passepartout-chat--mark-pasted nil t)
  (add-hook 'post-command-hook #'passepartout-chat--after-command nil t)
  (add-hook 'kill-buffer-query-functions #'passepartout-chat--may-close nil t)
  (add-hook 'kill-buffer-hook #'passepartout-chat--close nil t))

(defun passepartout-chat--show-all ()
  "Have this buffer hide nothing, and run no text.
This comes after the hooks of the modes, and counts before their settings."
  (setq-local org-link-descriptive nil
              org-hide-emphasis-markers nil
              org-pretty-entities nil
              org-src-fontify-natively nil
              org-element-use-cache nil
              org-cite-activate-processor nil
              org-link-parameters nil
              org-mouse-map (make-sparse-keymap)
              org-open-at-point-functions (list #'passepartout-chat--open-instead))
  (setq-local buffer-invisibility-spec '(passepartout)
              truncate-lines nil
              bidi-paragraph-direction 'left-to-right
              scroll-conservatively 101
              header-line-format '(:eval (passepartout-chat--header)))
  (visual-line-mode 1)
  (setq-local word-wrap t))

(defun passepartout-chat--header ()
  "Return the first line: the state of the agent, and what waits."
  (let ((unsent (length (passepartout-link-pending passepartout-chat--link)))
        (asked (length passepartout-chat--questions)))
    (concat " Passepartout " passepartout-chat--status
            (if (= unsent 0) "" (format " | %d not acknowledged yet" unsent))
            (if (= asked 0) ""
              (propertize (format " | %d question%s: C-c C-q" asked (if (= asked 1) "" "s"))
                          'face 'passepartout-question)))))

;;;; Writing above the prompt

(defmacro passepartout-chat--writing (&rest body)
  "Run BODY, which may write anywhere in the buffer; the point stays."
  (declare (indent 0) (debug t))
  `(let ((inhibit-read-only t))
     (save-excursion ,@body)
     ;; What was written is not taken back with what you typed.
     (setq buffer-undo-list nil)
     (set-buffer-modified-p nil)
     (force-mode-line-update)))

(defun passepartout-chat--put (position text)
  "Insert TEXT at POSITION, read-only."
  (goto-char position)
  (insert (propertize text 'read-only t 'front-sticky '(read-only) 'rear-nonsticky nil)))

(defun passepartout-chat--block (words status)
  "Add the block of a message of these WORDS, with STATUS behind its headline."
  (let* ((lines (split-string (passepartout-text-clean words) "\n"))
         (block (make-passepartout-block :words words)))
    (passepartout-chat--writing
      (let ((start (marker-position passepartout-chat--prompt)))
        (passepartout-chat--put start (concat "* " (car lines) "\n"))
        (setf (passepartout-block-head block) (make-overlay start (1- (point))))
        (when (cdr lines)
          (passepartout-chat--put (point) (passepartout-text-quote (string-join (cdr lines) "\n"))))
        (let ((end (point)))
          (passepartout-chat--put end "\n")
          (setf (passepartout-block-end block) (copy-marker end t)))))
    (passepartout-chat--set-status block status)
    block))

(defun passepartout-chat--set-status (block status)
  "Show STATUS behind the headline of BLOCK; nothing where it is nil."
  (overlay-put (passepartout-block-head block) 'after-string
               (and status (propertize (format "  (%s)" status) 'face 'shadow))))

(defun passepartout-chat--turn (turn)
  "Return the block of TURN; a new one where it was not said here."
  (or (gethash turn passepartout-chat--blocks)
      (puthash turn (passepartout-chat--block "What the agent does by itself" nil) passepartout-chat--blocks)))

(defun passepartout-chat--add (block text)
  "Add TEXT at the end of BLOCK."
  (passepartout-chat--writing (passepartout-chat--put (passepartout-block-end block) text)))

(defun passepartout-chat--drop-stream (block)
  "Take out of BLOCK what was streamed and is not final; return it."
  (when-let* ((start (passepartout-block-stream block)))
    (passepartout-chat--writing (delete-region start (passepartout-block-end block)))
    (set-marker start nil)
    (prog1 (string-join (nreverse (passepartout-block-said block)))
      (setf (passepartout-block-stream block) nil
            (passepartout-block-said block) nil))))

(defun passepartout-chat--settle-stream (block)
  "Keep what was streamed in BLOCK as words of the agent."
  (when-let* ((text (passepartout-chat--drop-stream block)))
    (unless (string-blank-p text) (passepartout-chat--add block (passepartout-text-answer text nil)))))

(defun passepartout-chat--stream (block text)
  "Add TEXT, which streams, to BLOCK."
  (unless (passepartout-block-stream block)
    (setf (passepartout-block-stream block) (copy-marker (passepartout-block-end block))))
  (push text (passepartout-block-said block))
  (let ((start (marker-position (passepartout-block-end block))))
    (passepartout-chat--add block (passepartout-text-clean text))
    ;; A list is no headline, also before the answer is whole.
    (passepartout-chat--writing
      (goto-char start)
      (beginning-of-line)
      (while (re-search-forward "^\\*" (passepartout-block-end block) t)
        (passepartout-chat--put (match-beginning 0) " ")))))

;;;; Calls, and results that fold

(defun passepartout-chat--call (block id action)
  "Add a line to BLOCK for the call with ID, which does ACTION."
  (passepartout-chat--settle-stream block)
  (let ((start (marker-position (passepartout-block-end block))))
    (passepartout-chat--add block (concat "- " (passepartout-text-action action) "\n"))
    (let ((line (make-overlay start (1- (passepartout-block-end block)) nil t)))
      (overlay-put line 'after-string " …")
      (push (cons id line) (passepartout-block-calls block)))))

(defun passepartout-chat--end-call (block id outcome lines)
  "Say of the call ID of BLOCK that it had OUTCOME; LINES of its result are folded."
  (when-let* ((line (cdr (assoc id (passepartout-block-calls block)))))
    (overlay-put line 'after-string
                 (concat "  " (passepartout-text-visible outcome)
                         (and lines (format " (%d line%s: TAB)" (length lines) (if (cdr lines) "s" "")))))
    (when lines
      (let ((start (1+ (overlay-end line))))
        (passepartout-chat--writing
          (passepartout-chat--put start (passepartout-text-quote
                                         (passepartout-text-clean (string-join lines "\n"))))
          (let ((fold (make-overlay (1- start) (1- (point)) nil t)))
            (overlay-put fold 'invisible 'passepartout)
            (overlay-put fold 'isearch-open-invisible
                         (lambda (one) (overlay-put one 'invisible nil)))
            (overlay-put line 'passepartout-fold fold)))))))

(defun passepartout-chat-toggle ()
  "Show or hide the result of the call on this line."
  (interactive)
  (let ((fold (cl-some (lambda (one) (overlay-get one 'passepartout-fold))
                       (overlays-in (line-beginning-position) (line-end-position)))))
    (cond (fold (overlay-put fold 'invisible (if (overlay-get fold 'invisible) nil 'passepartout)))
          ((>= (point) passepartout-chat--input) (insert "\t"))
          (t (message "There is no result on this line")))))

;;;; Questions

(defun passepartout-chat--ask (form)
  "Show the question FORM, once, with the newest token."
  (let* ((turn (passepartout-wire-get form :META :TURN-ID))
         (payload (passepartout-wire-get form :PAYLOAD))
         (key (list turn (passepartout-wire-get payload :EXPIRES-AT-MS)))
         (known (cl-find key passepartout-chat--questions
                         :key (lambda (one) (overlay-get one 'passepartout-key)) :test #'equal)))
    (if known
        (overlay-put known 'passepartout-token (passepartout-wire-get payload :TOKEN))
      (let ((block (or (gethash turn passepartout-chat--blocks)
                       (puthash turn (passepartout-chat--block "A question of another session" nil)
                                passepartout-chat--blocks))))
        (passepartout-chat--settle-stream block)
        (let ((start (marker-position (passepartout-block-end block))))
          (passepartout-chat--add block (passepartout-text-question form))
          (let ((question (make-overlay start (passepartout-block-end block) nil t)))
            (overlay-put question 'face 'passepartout-question)
            (overlay-put question 'keymap passepartout-chat--question-map)
            (overlay-put question 'passepartout-key key)
            (overlay-put question 'passepartout-id (passepartout-wire-get payload :QUESTION-ID))
            (overlay-put question 'passepartout-form form)
            (overlay-put question 'passepartout-token (passepartout-wire-get payload :TOKEN))
            (overlay-put question 'passepartout-seen start)
            (setq passepartout-chat--questions (append passepartout-chat--questions (list question)))))
        (force-mode-line-update)
        (message "Passepartout asks: C-c C-q goes to the question")))))

(defun passepartout-chat--close-questions (turn outcome)
  "Say of the questions of TURN that they wait no longer, for OUTCOME."
  (dolist (question passepartout-chat--questions)
    (when (equal turn (car (overlay-get question 'passepartout-key)))
      (passepartout-chat--close-question question)
      (passepartout-chat--write-outcome question outcome))))

(defun passepartout-chat--close-question (question)
  "Take no further answer to QUESTION."
  (overlay-put question 'keymap nil)
  (overlay-put question 'face 'shadow)
  (setq passepartout-chat--questions (delq question passepartout-chat--questions)))

(defun passepartout-chat--write-outcome (question outcome)
  "Write below QUESTION what became of it: OUTCOME."
  (passepartout-chat--writing
    (passepartout-chat--put (overlay-end question) (concat "│ " outcome "\n"))
    (move-overlay question (overlay-start question) (point))))

(defun passepartout-chat--cut-p ()
  "Return non-nil where the window does not show its lines whole."
  (or truncate-lines (truncated-partial-width-window-p) (/= 0 (window-hscroll))))

(defun passepartout-chat--note-seen ()
  "Note how far the questions that wait are on the screen.
That counts from their beginning on, and only once it was painted."
  (when (and passepartout-chat--questions
             (eq (current-buffer) (window-buffer))
             (not (passepartout-chat--cut-p))
             (not (input-pending-p))
             (redisplay))
    (dolist (question passepartout-chat--questions)
      (let ((seen (overlay-get question 'passepartout-seen)))
        (when (<= (window-start) seen)
          (overlay-put question 'passepartout-seen (setq seen (max seen (window-end nil t)))))
        (when (and (>= seen (1- (overlay-end question)))
                   (null (overlay-get question 'passepartout-seen-at)))
          (overlay-put question 'passepartout-seen-at (float-time)))))))

(defun passepartout-chat--question-here (command)
  "Return the question at point, if the key of COMMAND was typed on it."
  (let ((question (cl-find-if (lambda (one) (memq one passepartout-chat--questions)) (overlays-at (point)))))
    (unless question (user-error "There is no question here that waits"))
    (passepartout-chat-demand-key command passepartout-chat--question-map)
    question))

(defun passepartout-chat-demand-key (command map)
  "Refuse COMMAND unless the owner typed its key of MAP, and no other near it."
  (let ((keys (this-command-keys-vector)))
    (when (or executing-kbd-macro
              (not (eq (current-buffer) (window-buffer (selected-window))))
              (not (eq command this-command))
              (/= 1 (length keys))
              (not (eq command (lookup-key map keys)))
              (not (passepartout-chat--typed-key-p)))
      (user-error "Only a key typed on the question answers it"))))

(defun passepartout-chat-demand-seen (question)
  "Refuse a yes to QUESTION unless all of it was on the screen for a while."
  (let ((since (overlay-get question 'passepartout-seen-at)))
    (cond
     ((passepartout-chat--cut-p)
      (user-error "This window cuts long lines: M-x visual-line-mode shows them whole"))
     ((or (null since) (< (overlay-get question 'passepartout-seen) (1- (overlay-end question))))
      (user-error "Read it to its end first (SPC): part of it was not on the screen yet"))
     ((< (- (float-time) since) passepartout-chat--least-shown)
      (user-error "Read it first: it has only just come to the screen")))))

(defun passepartout-chat-yes ()
  "Say yes, once, to the question at point, all of which was on the screen."
  (interactive)
  (let ((question (passepartout-chat--question-here 'passepartout-chat-yes)))
    (passepartout-chat-demand-seen question)
    (passepartout-chat--decide question :APPROVE nil)))

(defun passepartout-chat-no ()
  "Say no to the question at point."
  (interactive)
  (passepartout-chat--decide (passepartout-chat--question-here 'passepartout-chat-no) :DENY nil))

(defun passepartout-chat-no-because ()
  "Say no to the question at point, and why."
  (interactive)
  (let ((question (passepartout-chat--question-here 'passepartout-chat-no-because)))
    (passepartout-chat--decide question :DENY (list :REASON (passepartout-chat--read-reason)))))

(defun passepartout-chat--read-reason ()
  "Read why it is a no.
It goes to the agent as words of yours, so all of it must be typed."
  (let* ((pasted nil)
         (note (lambda (start end _)
                 (when (or (> (- end start) 1) (input-pending-p)) (setq pasted t))))
         (reason (minibuffer-with-setup-hook
                     (lambda () (add-hook 'after-change-functions note nil t))
                   (read-string "No, because: "))))
    (when pasted
      (user-error "A reason is typed: say no with n, and what you paste at the prompt"))
    reason))

(defun passepartout-chat--decide (question action more)
  "Send ACTION, with MORE keys, as the answer to QUESTION."
  (let ((id (passepartout-link-send passepartout-chat--link :REQUEST
                                    (append (list :ACTION action
                                                  :TOKEN (overlay-get question 'passepartout-token))
                                            more))))
    (push (list id question (if (eq action :APPROVE) "You said yes." "You said no."))
          passepartout-chat--decisions)
    (passepartout-chat--close-question question)
    (goto-char (point-max))))

(defun passepartout-chat--decided (id refusal)
  "Say what became of the answer that the message ID is, if it is one.
REFUSAL says why it did not count; nil if it did.  Returns non-nil for
an answer."
  (when-let* ((decision (assoc id passepartout-chat--decisions)))
    (setq passepartout-chat--decisions (delq decision passepartout-chat--decisions))
    (pcase-let ((`(,_ ,question ,said) decision))
      (passepartout-chat--write-outcome
       question
       (if refusal (concat "Your answer did not count: " (passepartout-text-line refusal)) said)))
    t))

(defun passepartout-chat-next-question ()
  "Go to the next question that waits."
  (interactive)
  (let ((places (sort (mapcar #'overlay-start passepartout-chat--questions) #'<)))
    (unless places (user-error "No question waits"))
    (goto-char (or (cl-find-if (lambda (place) (> place (point))) places) (car places)))
    (when (eq (current-buffer) (window-buffer)) (set-window-start nil (point)))))

;;;; What comes

(defun passepartout-chat--listen (buffer kind what)
  "Show in BUFFER that WHAT of KIND came from the agent."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (pcase (cons kind what)
        (`(ready ,version) (setq passepartout-chat--status (concat version " | ready")))
        ('(away) (passepartout-chat--away))
        (`(told ,text) (passepartout-chat--note text))
        (`(opened ,payload) (passepartout-chat--opened payload))
        (`(accepted ,id ,turn ,words) (passepartout-chat--accepted id turn words))
        (`(refused ,id ,text)
         (or (passepartout-chat--decided id text) (passepartout-chat--give-back id text)))
        (`(message ,form) (passepartout-chat--message form)))
      (run-hooks 'passepartout-chat-told-hook)
      (force-mode-line-update t))))

(defun passepartout-chat--note (text)
  "Write TEXT of this program into the conversation."
  (passepartout-chat--add (passepartout-chat--block "Passepartout" nil) (passepartout-text-quote (passepartout-text-clean text))))

(defun passepartout-chat--away ()
  "Say that the agent is away, and drop what it began to say."
  (setq passepartout-chat--status "the agent is away: connecting again, and what you say waits")
  (message "Passepartout: the agent is away; connecting again")
  (maphash (lambda (_ block) (passepartout-chat--drop-stream block)) passepartout-chat--blocks))

(defun passepartout-chat--opened (payload)
  "Show what PAYLOAD has about the session that was opened."
  (when (passepartout-wire-get payload :NO-MODEL)
    (passepartout-chat--note "No model is set up.  In a terminal: passepartout setup"))
  (dolist (one (passepartout-wire-list payload :RECOVERED))
    (passepartout-chat--note (passepartout-wire-get one :TEXT)))
  (let ((turn (passepartout-wire-get payload :LAST-TURN-ID))
        (words (passepartout-wire-get payload :LAST-WORDS))
        (answer (passepartout-wire-get payload :LAST-ANSWER)))
    (when (and turn words (null (gethash turn passepartout-chat--blocks)))
      (let ((block (puthash turn (passepartout-chat--block words nil) passepartout-chat--blocks)))
        (when answer (passepartout-chat--add block (passepartout-text-answer answer nil)))))))

(defun passepartout-chat--accepted (id turn words)
  "Note that the message ID is kept and began TURN.
WORDS are what another client said."
  (passepartout-chat--decided id nil)
  (let ((block (gethash id passepartout-chat--blocks)))
    (when block (passepartout-chat--set-status block (and turn "works")))
    (when turn
      (cond (block (puthash turn block passepartout-chat--blocks))
            ((and words (null (gethash turn passepartout-chat--blocks)))
             (puthash turn (passepartout-chat--block words "said elsewhere") passepartout-chat--blocks))))))

(defun passepartout-chat--give-back (id text)
  "Say with TEXT that the message ID was refused.
Its words are put back at the prompt."
  (let ((block (gethash id passepartout-chat--blocks)))
    (when block
      (passepartout-chat--set-status block "refused"))
    (passepartout-chat--note text)
    (when (and block (passepartout-block-words block) (string-blank-p (passepartout-chat--typed)))
      (save-excursion
        (goto-char (point-max))
        ;; They keep the marks of what was pasted.
        (let ((inhibit-read-only t)) (insert (passepartout-block-words block)))))))

(defun passepartout-chat--message (form)
  "Show FORM, a message of the agent."
  (let* ((payload (passepartout-wire-get form :PAYLOAD))
         (turn (passepartout-wire-get form :META :TURN-ID))
         (text (or (passepartout-wire-get payload :TEXT) ""))
         (call (passepartout-wire-get payload :CALL-ID)))
    (pcase (list (passepartout-wire-get form :TYPE)
                 (or (passepartout-wire-get payload :SENSOR) (passepartout-wire-get payload :ACTION)))
      (`(:STREAM-CHUNK ,_) (passepartout-chat--stream (passepartout-chat--turn turn) text))
      (`(:STREAM-RESET ,_) (passepartout-chat--drop-stream (passepartout-chat--turn turn)))
      ('(:EVENT :APPROVAL-REQUIRED) (passepartout-chat--ask form))
      ('(:EVENT :TOOL-OUTPUT)
       (passepartout-chat--end-call (passepartout-chat--turn turn) call "done"
                                    (append (passepartout-text-lines (passepartout-wire-get payload :RESULT))
                                            (passepartout-text-changes (passepartout-wire-list payload :CHANGES)))))
      ('(:EVENT :TOOL-ERROR)
       (passepartout-chat--end-call (passepartout-chat--turn turn) call
                                    (or (passepartout-wire-get payload :MESSAGE) "failed") nil))
      ('(:STATUS :THINKING)
       (passepartout-chat--close-questions turn "It waits no longer.")
       (when-let* ((block (gethash turn passepartout-chat--blocks)))
         (passepartout-chat--settle-stream block)
         (unless (string= text "") (passepartout-chat--add block (passepartout-text-answer text t)))))
      ('(:STATUS :PROPOSED)
       (passepartout-chat--call (passepartout-chat--turn turn) call (passepartout-wire-get payload :PROPOSAL)))
      ('(:STATUS :JUDGED)
       (when (eq (passepartout-wire-get payload :VERDICT) :BLOCK)
         (passepartout-chat--end-call (passepartout-chat--turn turn) call
                                      (concat "blocked: " (passepartout-wire-get payload :REASON)) nil)))
      (`(:RESPONSE ,_) (passepartout-chat--answer form turn text)))))

(defun passepartout-chat--answer (form turn text)
  "Show TEXT of the answer FORM to TURN, or to a message that began none."
  (let* ((payload (passepartout-wire-get form :PAYLOAD))
         (id (passepartout-wire-get form :ID))
         (outcome (passepartout-wire-get payload :OUTCOME))
         (block (cond (turn (passepartout-chat--turn turn)) (id (gethash id passepartout-chat--blocks))))
         (plain (or (passepartout-wire-get payload :PLAIN) (memq outcome '(:SAID :REFUSED)))))
    (when turn (passepartout-chat--close-questions turn "It waits no longer."))
    (cond
     ((and block (not turn) (eq outcome :REFUSED)) (passepartout-chat--give-back id text))
     (block
      (passepartout-chat--drop-stream block)
      (passepartout-chat--set-status block (and (memq outcome '(:BLOCKED :FAILED :STOPPED))
                                                (passepartout-text-name outcome)))
      (unless (string= text "") (passepartout-chat--add block (passepartout-text-answer text plain))))
     (t (passepartout-chat--note text)))))

;;;; What you say

(defun passepartout-chat--typed ()
  "Return the text at the prompt, in which pasted parts are marked."
  (buffer-substring passepartout-chat--input (point-max)))

(defun passepartout-chat--after-command ()
  "Note what is on the screen, and whether keys come faster than a person types."
  (passepartout-chat--note-seen)
  (setq passepartout-chat--burst (input-pending-p)
        passepartout-chat--key-time (float-time)))

(defun passepartout-chat--pasting-p ()
  "Return non-nil where this key came together with others."
  (or passepartout-chat--burst (input-pending-p)))

(defun passepartout-chat--typed-key-p ()
  "Return non-nil where no other key came close before or behind this one.
Without the marks of a bracketed paste, what is pasted arrives as keys."
  (and (not (passepartout-chat--pasting-p))
       (> (- (float-time) passepartout-chat--key-time) passepartout-chat--quiet)
       (sit-for passepartout-chat--quiet t)))

(defun passepartout-chat--mark-pasted (start end _)
  "Mark what came between START and END at once, and so was not typed."
  (when (and (not inhibit-read-only) (>= start passepartout-chat--input)
             (or (> (- end start) 1) (and (> end start) (passepartout-chat--pasting-p))))
    (with-silent-modifications
      (add-text-properties start end '(passepartout-pasted t rear-nonsticky (passepartout-pasted))))))

(defun passepartout-chat--pastes ()
  "Return the parts at the prompt that were not typed."
  (let ((place (marker-position passepartout-chat--input)) (found nil) next)
    (while (< place (point-max))
      (setq next (next-single-property-change place 'passepartout-pasted nil (point-max)))
      (when (get-text-property place 'passepartout-pasted)
        (push (buffer-substring-no-properties place next) found))
      (setq place next))
    (nreverse found)))

(defun passepartout-chat-return ()
  "Send what you typed; elsewhere open the link or the result of this line.
Where it came together with other keys it was pasted, and begins a line."
  (interactive)
  (cond ((< (point) passepartout-chat--input) (passepartout-chat--act-on-line))
        ((passepartout-chat--typed-key-p) (passepartout-chat--send))
        (t (insert "\n")
           (message "That came at once, as a paste does: RET sends it"))))

(defun passepartout-chat--act-on-line ()
  "Open the link or the result of this line."
  (cond
        ((cl-some (lambda (one) (overlay-get one 'passepartout-fold))
                  (overlays-in (line-beginning-position) (line-end-position)))
         (passepartout-chat-toggle))
        (t (passepartout-chat-open-link))))

(defun passepartout-chat-send ()
  "Send what stands at the prompt."
  (interactive)
  (passepartout-chat--demand-typed)
  (passepartout-chat--send))

(defun passepartout-chat--demand-typed ()
  "Refuse a command whose keys came together with others."
  (unless (passepartout-chat--typed-key-p)
    (user-error "These keys came at once, as a paste does: type them again")))

(defun passepartout-chat--send ()
  "Send what stands at the prompt."
  (let ((text (string-trim-right (passepartout-chat--typed)))
        (pastes (passepartout-chat--pastes)))
    (when (string-blank-p text) (user-error "Type something first"))
    (when (> (length text) 500000) (user-error "That is too long: name a file that holds it"))
    (passepartout-chat-say text pastes)
    (delete-region passepartout-chat--input (point-max))
    (setq buffer-undo-list nil)
    (goto-char (point-max))))

(defun passepartout-chat-say (text pastes &optional function command)
  "Send TEXT, of which PASTES were not typed.
FUNCTION, if any, is called with the form that answers it.  COMMAND says
that the text is a command that the owner gave, with pastes as its argument."
  (let ((block (passepartout-chat--block text "waits"))
        (payload (append (list :SENSOR :USER-INPUT :TEXT (substring-no-properties text))
                         (and pastes (append (unless command '(:PASTED T)) (list :PASTES pastes))))))
    ;; Words of another buffer do not come back to the prompt of this one.
    (when function (setf (passepartout-block-words block) nil))
    (puthash (if function
                 (passepartout-link-ask passepartout-chat--link :EVENT payload function)
               (passepartout-link-send passepartout-chat--link :EVENT payload))
             block passepartout-chat--blocks)))

(defun passepartout-chat--command (name payload)
  "Send the command PAYLOAD, whose answer stands below NAME."
  (let* ((block (passepartout-chat--block name "waits"))
         (id (passepartout-link-send passepartout-chat--link :REQUEST payload)))
    (setf (passepartout-block-words block) nil)
    (puthash id block passepartout-chat--blocks)))

(defun passepartout-chat-stop ()
  "Stop what the agent works on."
  (interactive)
  (passepartout-chat--command "Stop" '(:ACTION :STOP)))

(defun passepartout-chat-undo ()
  "Take the last change back that the agent made for this conversation."
  (interactive)
  (passepartout-chat--demand-typed)
  (passepartout-chat--command "Undo" '(:ACTION :UNDO)))

;;;; Links, and the end

(defconst passepartout-chat--link-regexp
  (concat "\\[\\[\\([^][\n]+\\)]\\(?:\\[[^][\n]*]\\)?]"
          "\\|\\_<\\(\\(?:id\\|https?\\|mailto\\|file\\):[^][ \t\n<>(){}`\"]*[^][ \t\n<>(){}`\".,;:!?~*]\\)")
  "A link in brackets or as it is; its target is group 1 or 2.")

(defun passepartout-chat--target-here ()
  "Return the target of the link at point, or the name of a file there."
  (let ((place (point)))
    (or (save-excursion
          (beginning-of-line)
          (cl-loop while (re-search-forward passepartout-chat--link-regexp (line-end-position) t)
                   thereis (and (<= (match-beginning 0) place) (< place (match-end 0))
                                (or (match-string-no-properties 1) (match-string-no-properties 2)))))
        (thing-at-point 'filename t)
        (user-error "There is no link here"))))

(defun passepartout-chat-open-link ()
  "Open the note, file or page that is named at point.
Nothing else is opened.  Org is not asked: it runs what stands around a link."
  (interactive)
  (let ((target (passepartout-chat--target-here)))
    (pcase (and (string-match "\\`\\([[:alnum:]+-]+\\):" target) (match-string 1 target))
      ("id" (passepartout-chat-open-note (substring target 3)))
      ((or "http" "https") (browse-url target))
      ;; Not the text that the link proposes: a mail may attach what its text names.
      ("mailto" (compose-mail (replace-regexp-in-string "\\?.*" "" (substring target 7))))
      ("file" (passepartout-chat--open-file (replace-regexp-in-string "::.*" "" (substring target 5))))
      ('nil (passepartout-chat--open-file target))
      (type (user-error "Links of the type %s are not opened here" type)))))

(defun passepartout-chat--open-file (name)
  "Open the file NAME of this machine."
  ;; Without handlers, to look for a file reaches no other machine.
  (let ((file (let ((file-name-handler-alist nil))
                (setq name (expand-file-name name))
                (and (file-exists-p name) name))))
    (when (or (null file) (file-remote-p file)) (user-error "There is no file %s here" name))
    (find-file-other-window file)))

(defun passepartout-chat--open-instead ()
  "Open the link at point in place of Org."
  (passepartout-chat-open-link)
  t)

(defun passepartout-chat-open-note (id)
  "Open the note with this ID."
  (let* ((note (with-temp-buffer
                 (call-process (passepartout-wire-program) nil '(t nil) nil "memory" "show" "--json" "--" id)
                 (goto-char (point-min))
                 (or (let ((json-object-type 'plist)) (ignore-errors (json-read)))
                     (user-error "There is no note with the id %s" id))))
         (file (plist-get note :file)))
    (find-file-other-window file)
    (goto-char (or (org-find-property "ID" id)
                   (and (integerp (plist-get note :begin)) (1+ (plist-get note :begin)))
                   (point-min)))))

(defun passepartout-chat--may-close ()
  "Ask before what was not acknowledged is lost."
  (or (null passepartout-chat--link)
      (null (passepartout-link-pending passepartout-chat--link))
      (yes-or-no-p "Not everything that you said has reached the agent; close nevertheless? ")))

(defun passepartout-chat--may-exit ()
  "Ask before Emacs ends and loses what was not acknowledged."
  (cl-every (lambda (buffer) (with-current-buffer buffer (passepartout-chat--may-close))) (buffer-list)))

(add-hook 'kill-emacs-query-functions #'passepartout-chat--may-exit)

(defun passepartout-chat--close ()
  "End the connection of this buffer."
  (when passepartout-chat--link (passepartout-link-close passepartout-chat--link)))

(defun passepartout-chat-buffer (folder wanted)
  "Return the conversation that works in FOLDER.
A new one opens the session that WANTED describes, or a new session."
  (let* ((folder (file-name-as-directory (expand-file-name folder)))
         (name (format "*passepartout %s*" (abbreviate-file-name folder))))
    (or (and (null wanted) (get-buffer name))
        (with-current-buffer (generate-new-buffer name)
          (setq default-directory folder)
          (passepartout-chat-mode)
          (let ((buffer (current-buffer)))
            (setq passepartout-chat--link
                  (make-passepartout-link
                   :workspace folder :wanted wanted
                   :listener (lambda (kind &rest what) (passepartout-chat--listen buffer kind what)))))
          (passepartout-link-open passepartout-chat--link)
          (current-buffer)))))

(provide 'passepartout-chat)
;;; passepartout-chat.el ends here
