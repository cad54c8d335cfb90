;;; passepartout-questions.el --- The agent's questions as Org entries  -*- lexical-binding: t -*-

;; This file is not part of GNU Emacs.

;;; Commentary:

;; The agent lists what it asks you in questions.org of your notes.  That file
;; answers nothing.  `passepartout-answer' on an entry goes to the question
;; itself, in a conversation, where keys that you type on it answer it.

;;; Code:

(require 'cl-lib)
(require 'org)
(require 'passepartout-chat)

(defconst passepartout-questions--wait 10
  "How long an agent may take to say what it asks, in seconds.")

(defvar passepartout-questions-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-t") #'passepartout-answer)
    map)
  "Keys in the file of the agent's questions.")

;;;###autoload
(define-minor-mode passepartout-questions-mode
  "Go from the entries of the agent's questions to the questions.
The file follows what the agent writes, as long as you did not change it."
  :lighter " Questions"
  (when passepartout-questions-mode
    (auto-revert-mode 1)))

;;;###autoload
(defun passepartout-questions-open ()
  "Show a file in Org, and with keys of its own where it lists questions."
  (org-mode)
  (when (save-excursion
          (goto-char (point-min))
          (search-forward "# Passepartout writes this file" 2000 t))
    (passepartout-questions-mode 1)))

;;;###autoload
(add-to-list 'auto-mode-alist '("/questions\\.org\\'" . passepartout-questions-open))

(defun passepartout-questions--find (id)
  "Return a cons of the buffer and the question ID that waits in it."
  (cl-loop for buffer in (buffer-list)
           thereis (with-current-buffer buffer
                     (let ((question (and (derived-mode-p 'passepartout-chat-mode)
                                          (cl-find id passepartout-chat--questions :test #'equal
                                                   :key (lambda (one) (overlay-get one 'passepartout-id))))))
                       (and question (cons buffer question))))))

(defun passepartout-questions--wait-for (id)
  "Return the question ID as a cons with its buffer, once it was asked."
  (or (passepartout-questions--find id)
      (let ((end (+ (float-time) passepartout-questions--wait)) found)
        (save-window-excursion (passepartout-chat-buffer default-directory nil))
        (while (and (not (setq found (passepartout-questions--find id)))
                    (< (float-time) end))
          (accept-process-output nil 0.05))
        (or found
            (user-error "The agent does not ask this any more, or does not answer: M-x passepartout says why")))))

;;;###autoload
(defun passepartout-answer ()
  "Go to the question of the entry at point, to answer it there by a key.
All of it is shown there: y says yes once you have read it to its end, n says
no, and w says no and why.  The entry follows the answer."
  (interactive)
  (unless (derived-mode-p 'org-mode) (user-error "There is no entry of a question here"))
  (let ((id (or (org-entry-get nil "ID") "")))
    (unless (string-match-p "\\`question-[[:alnum:]]+\\'" id)
      (user-error "There is no entry of a question here"))
    (unless (string= (or (org-get-todo-state) "") "OPEN")
      (user-error "This question waits no longer"))
    (pcase-let ((`(,buffer . ,question) (passepartout-questions--wait-for id)))
      (pop-to-buffer buffer)
      (goto-char (overlay-start question))
      (when (eq buffer (window-buffer)) (set-window-start nil (point)))
      (message "Read it, and answer it here: y yes, n no, w no and why"))))

(provide 'passepartout-questions)
;;; passepartout-questions.el ends here
