;;; passepartout-plans.el --- A flight plan as a checklist  -*- lexical-binding: t -*-

;; This file is not part of GNU Emacs.

;;; Commentary:

;; The flight plan of a conversation: one that is proposed is answered by keys
;; typed on it, as any question is; of one in force each step shows how often it
;; was done.

;;; Code:

(require 'passepartout-views)

(defconst passepartout-plans--buffer "*passepartout plan*" "The name of the buffer with the plan.")

(defvar passepartout-plan-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map passepartout-view-mode-map)
    (define-key map "d" #'passepartout-plan-drop)
    (define-key map "c" #'passepartout-plan-continue)
    map)
  "Keys of a flight plan.")

(defvar passepartout-plan--question-map
  (let ((map (make-sparse-keymap)))
    (define-key map "y" #'passepartout-plan-yes)
    (define-key map "n" #'passepartout-plan-no)
    (define-key map "w" #'passepartout-plan-no-because)
    map)
  "Keys that count on a flight plan that is proposed.")

(define-derived-mode passepartout-plan-mode passepartout-view-mode "Passepartout-Plan"
  "The flight plan of a conversation.

\\{passepartout-plan-mode-map}"
  (setq-local truncate-lines nil
              word-wrap t
              passepartout-views--hint "g asks again"
              passepartout-views--basis #'passepartout-plans--proposed)
  (add-hook 'post-command-hook #'passepartout-chat--after-command nil t)
  (add-hook 'passepartout-chat-told-hook #'passepartout-plans--told))

;;;###autoload
(defun passepartout-plan ()
  "Show the flight plan of the conversation as a checklist."
  (interactive)
  (passepartout-views-show 'passepartout-plan-mode passepartout-plans--buffer "Flight plan"
                           '(:ACTION :PLAN) #'passepartout-plans--draw))

(defvar passepartout-plans--timer nil "The timer by which the plan is asked for again.")

(defun passepartout-plans--told ()
  "Ask for the plan again soon, since something came."
  (unless passepartout-plans--timer
    (setq passepartout-plans--timer (run-at-time 0.3 nil #'passepartout-plans--renew))))

(defun passepartout-plans--renew ()
  "Ask for the plan again, unless nobody sees it."
  (setq passepartout-plans--timer nil)
  (when-let* ((window (get-buffer-window passepartout-plans--buffer t)))
    (with-current-buffer (window-buffer window)
      (when (and (buffer-live-p passepartout-views--chat) (null passepartout-views--waits))
        (passepartout-views-refresh)))))

(defun passepartout-plans--proposed ()
  "Return the questions of the conversation that are about a plan."
  (cl-remove-if-not
   (lambda (question)
     (cl-some (lambda (effect) (passepartout-wire-get effect :PLAN))
              (passepartout-wire-list (overlay-get question 'passepartout-form) :PAYLOAD :EFFECTS)))
   (buffer-local-value 'passepartout-chat--questions passepartout-views--chat)))

(defun passepartout-plans--draw (plan)
  "Write what is proposed, and the PLAN in force."
  (let ((known passepartout-chat--questions))
    (setq passepartout-chat--questions nil)
    (remove-overlays)
    (dolist (question (passepartout-plans--proposed))
      (passepartout-plans--draw-question
       question (cl-find question known :key (lambda (one) (overlay-get one 'passepartout-question)))))
    (when plan (passepartout-plans--draw-steps plan))))

(defun passepartout-plans--draw-question (question known)
  "Write QUESTION of the conversation; KNOWN is where it stood before, if it did.
What was seen of it there was seen."
  (let ((start (point)))
    (passepartout-views-insert (list :TITLE "A flight plan that is proposed")
                               (string-trim-right
                                (passepartout-text-question (overlay-get question 'passepartout-form))))
    (insert "\n")
    (let ((shown (make-overlay start (1- (point)) nil t)))
      (overlay-put shown 'face 'passepartout-question)
      (overlay-put shown 'keymap passepartout-plan--question-map)
      (overlay-put shown 'passepartout-question question)
      (overlay-put shown 'passepartout-seen
                   (if known
                       (+ start (- (overlay-get known 'passepartout-seen) (overlay-get known 'passepartout-start)))
                     start))
      (overlay-put shown 'passepartout-seen-at (and known (overlay-get known 'passepartout-seen-at)))
      (overlay-put shown 'passepartout-start start)
      (push shown passepartout-chat--questions))))

(defun passepartout-plans--draw-steps (plan)
  "Write PLAN, which is in force."
  (insert (propertize
           (format "Until %s%s   d: ends it%s\n"
                   (format-time-string "%F %H:%M" (/ (passepartout-wire-get plan :UNTIL-MS) 1000))
                   (if (eq 'T (passepartout-wire-get plan :HELD))
                       ", ON HOLD since a call differed from it: each step asks you" "")
                   (if (eq 'T (passepartout-wire-get plan :HELD)) "   c: lets it go on" ""))
           'face 'org-agenda-structure))
  (cl-loop for step in (passepartout-wire-list plan :STEPS)
           for number from 1
           for times = (passepartout-wire-get step :TIMES)
           for used = (passepartout-wire-get step :USED)
           do (passepartout-views-insert
               step
               (concat (format "- [%s] %d  %s%s" (if (>= used times) "X" " ") number
                               (passepartout-text-line (passepartout-wire-get step :WORDS))
                               (if (= times 1) "" (format ", done %d of at most %d" used times)))
                       (mapconcat (lambda (effect) (concat "\n        - " (passepartout-text-line effect)))
                                  (passepartout-wire-list step :EFFECTS) ""))
               (if (>= used times) 'org-done 'default))))

;;;; Answers

(defun passepartout-plans--decide (command action more)
  "Answer the proposed plan at point by ACTION, with keys from MORE.
The key of COMMAND must have been typed on it."
  (let ((shown (cl-find-if (lambda (one) (memq one passepartout-chat--questions)) (overlays-at (point)))))
    (unless shown (user-error "There is no plan here that waits for an answer"))
    (passepartout-chat-demand-key command passepartout-plan--question-map)
    (when (eq action :APPROVE) (passepartout-chat-demand-seen shown))
    (let ((keys (and more (funcall more))) (question (overlay-get shown 'passepartout-question)))
      (with-current-buffer passepartout-views--chat
        (unless (memq question passepartout-chat--questions) (user-error "It waits no longer"))
        (passepartout-chat--decide question action keys)))
    (passepartout-views-refresh)))

(defun passepartout-plan-yes ()
  "Say yes to the plan at point, all of which was on the screen."
  (interactive)
  (passepartout-plans--decide 'passepartout-plan-yes :APPROVE nil))

(defun passepartout-plan-no ()
  "Say no to the plan at point."
  (interactive)
  (passepartout-plans--decide 'passepartout-plan-no :DENY nil))

(defun passepartout-plan-no-because ()
  "Say no to the plan at point, and why."
  (interactive)
  (passepartout-plans--decide 'passepartout-plan-no-because :DENY
                              (lambda () (list :REASON (passepartout-chat--read-reason)))))

(defun passepartout-plans--say (command words)
  "Say WORDS in the conversation, if the key of COMMAND was typed here."
  (passepartout-chat-demand-key command passepartout-plan-mode-map)
  (let ((buffer (current-buffer)))
    (with-current-buffer passepartout-views--chat
      (passepartout-chat-say words nil
                             (lambda (_)
                               (when (buffer-live-p buffer)
                                 (with-current-buffer buffer (passepartout-views-refresh))))))))

(defun passepartout-plan-drop ()
  "End the flight plan: each further step asks again."
  (interactive)
  (passepartout-plans--say 'passepartout-plan-drop "/plan drop"))

(defun passepartout-plan-continue ()
  "Let the flight plan go on that is on hold."
  (interactive)
  (passepartout-plans--say 'passepartout-plan-continue "/plan resume"))

(provide 'passepartout-plans)
;;; passepartout-plans.el ends here
