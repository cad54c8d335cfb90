;;; keys.el --- Keys that a person types into a conversation in Emacs  -*- lexical-binding: t -*-

(require 'passepartout)

(setq comp-enable-subr-trampolines nil)

(defun run-next-keys ()
  "Run the command of the keys that came next."
  (let* ((keys (read-key-sequence-vector nil))
         (command (key-binding keys)))
    ;; Nobody types Enter or an answer at once behind another key.
    (unless (or unread-command-events (eq command 'self-insert-command)) (sleep-for 0.05))
    (setq last-command-event (aref keys (1- (length keys)))
          this-command command)
    (unwind-protect (command-execute command)
      (setq this-command nil)
      (run-hooks 'post-command-hook))))

(defun type-keys (keys)
  "Do what a person does who types KEYS, one after the other."
  (let ((next nil))
    (dolist (key (listify-key-sequence keys))
      (setq next (append next (list key)))
      (unless (keymapp (key-binding (vconcat next)))
        (setq unread-command-events next next nil)
        (run-next-keys)))))

(defun type-at-once (keys)
  "Do what a terminal does that pastes KEYS without saying so."
  (setq unread-command-events (append (listify-key-sequence keys) nil))
  (unwind-protect (while unread-command-events (run-next-keys))
    (setq unread-command-events nil)))
