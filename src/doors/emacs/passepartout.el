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
(require 'passepartout-edits)
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

;;;; What else there is, each loaded when it is first used

(autoload 'passepartout-agenda "passepartout-views" "Show what is due." t)
(autoload 'passepartout-query "passepartout-views" "List the headlines that match." t)
(autoload 'passepartout-search "passepartout-views" "List the notes that words find." t)
(autoload 'passepartout-backlinks "passepartout-views" "List the notes that link to this one." t)
(autoload 'passepartout-review "passepartout-review" "Show what jobs proposed." t)
(autoload 'passepartout-plan "passepartout-plans" "Show the flight plan." t)
(autoload 'passepartout-capture "passepartout-follow" "File a note into the inbox." t)
(autoload 'passepartout-follow-mode "passepartout-follow" "Have the focus follow the point." t)

(defvar passepartout-command-map
  (let ((map (make-sparse-keymap "Passepartout")))
    (pcase-dolist (`(,key ,name ,command)
                   '(("t" "Subtree: ask about it" passepartout-ask-about-subtree)
                     ("f" "Focus follows point" passepartout-follow-mode)
                     ("n" "Note for the inbox" passepartout-capture)
                     ("p" "Plan" passepartout-plan)
                     ("r" "Review inbox" passepartout-review)
                     ("b" "Backlinks" passepartout-backlinks)
                     ("s" "Search" passepartout-search)
                     ("q" "Query" passepartout-query)
                     ("a" "Agenda" passepartout-agenda)
                     ("c" "Conversation" passepartout)))
      (define-key map key (cons name command)))
    map)
  "The commands of Passepartout, to be bound to a key of yours.")
;;;###autoload (autoload 'passepartout-command-map "passepartout" nil nil 'keymap)
(fset 'passepartout-command-map passepartout-command-map)

(define-key passepartout-chat-mode-map [menu-bar passepartout]
            (cons "Passepartout" passepartout-command-map))

(provide 'passepartout)
;;; passepartout.el ends here
