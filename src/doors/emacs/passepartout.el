;;; passepartout.el --- Talk to your personal agent  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: convenience, outlines
;; This file is not part of GNU Emacs.

;;; Commentary:

;; M-x passepartout opens a conversation with the agent that works in your
;; plain-text files.  Where no agent runs, it starts one.

;;; Code:

(require 'passepartout-chat)
(require 'passepartout-questions)

;;;###autoload
(defun passepartout (&optional latest)
  "Open a conversation with the agent in this folder.
With a prefix argument LATEST, go on with the session that was used last."
  (interactive "P")
  (when (file-remote-p default-directory)
    (user-error "The agent works on this machine: go to a folder of it first"))
  (pop-to-buffer (passepartout-chat-buffer default-directory (and latest '(:LATEST T))))
  (goto-char (point-max)))

;;;###autoload
(defun passepartout-ask-about-subtree ()
  "Put the Org subtree at point below the prompt, to ask the agent about it.
The subtree goes with your words as a text that you did not type."
  (interactive)
  (unless (derived-mode-p 'org-mode) (user-error "There is no subtree here"))
  (let ((subtree (save-excursion
                   (org-back-to-heading t)
                   (buffer-substring-no-properties (point) (org-end-of-subtree t)))))
    (passepartout)
    (save-excursion (insert "\n\n" subtree))
    (message "Ask about this subtree, and send it with RET")))

(provide 'passepartout)
;;; passepartout.el ends here
