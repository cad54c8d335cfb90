;;; edits.el --- Files that are open and unsaved while the agent edits them  -*- lexical-binding: t -*-
;; Each test runs in an Emacs of its own beside a daemon and a scripted provider; the variables are of its
;; world.

(require 'ert)
(load (expand-file-name "conversation" (file-name-directory load-file-name)) nil t)

(defvar conversation nil "The buffer of the conversation.")

(defun open-plan ()
  "Open a conversation and the plan, and type a line at the end of the plan; give its buffer."
  (setq create-lockfiles t)
  (open-conversation)
  (setq conversation (window-buffer))
  (with-current-buffer (find-file-noselect (getenv "PLAN"))
    (buffer-enable-undo)
    (goto-char (point-max))
    (insert "* from Emacs\n")
    (undo-boundary)
    (current-buffer)))

(defun tell (words)
  "Say WORDS in the conversation."
  (with-current-buffer conversation
    (set-window-buffer nil conversation)
    (say words)))

(defun hear (pattern)
  "Wait until PATTERN stands in the conversation, shown or folded."
  (with-current-buffer conversation (wait-for-text pattern)))

(defun on-disk ()
  "Give what the file of the plan holds."
  (with-temp-buffer (insert-file-contents (getenv "PLAN")) (buffer-string)))

(defun undo-once ()
  "Take one step back, as a person does."
  (setq last-command nil)
  (undo-boundary)
  (undo)
  (undo-boundary))

(ert-deftest edits-the-buffer ()
  (let ((plan (open-plan)) (before (on-disk)))
    (with-current-buffer plan
      (goto-char (point-min))
      (search-forward "call")
      (push-mark (point-max) t)
      (tell "bread, not milk")
      (hear "^I changed it\\.$")
      (hear "editor: in the buffer of Emacs, not saved yet")
      (should (equal (buffer-string) "* TODO buy bread\n* call Ann\n* from Emacs\n"))
      (should (equal (on-disk) before))
      (should (buffer-modified-p))
      (should (looking-back "\\* call" (line-beginning-position)))
      (should (= (mark t) (point-max)))
      (undo-once)
      (should (equal (buffer-string) "* TODO buy milk\n* call Ann\n* from Emacs\n"))
      ;; That is undone as well.
      (undo-once)
      (should (equal (buffer-string) "* TODO buy bread\n* call Ann\n* from Emacs\n"))
      (goto-char (point-max))
      (insert "* more\n")
      (with-current-buffer conversation (type-keys (kbd "C-c C-u")))
      (hear "plan\\.org (in the buffer of Emacs, not saved yet) is")
      (should (equal (buffer-string) "* TODO buy milk\n* call Ann\n* from Emacs\n* more\n"))
      (let ((save-silently t)) (save-buffer))
      (should (equal (on-disk) "* TODO buy milk\n* call Ann\n* from Emacs\n* more\n")))))

(ert-deftest asks-for-the-buffer ()
  (let ((plan (open-plan)))
    (tell "bread, not milk")
    (hear "^│ +editor: in the buffer of Emacs, not saved yet$")
    (with-current-buffer conversation
      (type-keys (kbd "C-c C-q"))
      (overlay-put (car passepartout-chat--questions) 'passepartout-seen-at 1)
      (type-keys "y"))
    (hear "^I changed it\\.$")
    (with-current-buffer plan
      (should (equal (buffer-string) "* TODO buy bread\n* call Ann\n* from Emacs\n")))))

(ert-deftest edits-by-every-tool ()
  (let ((plan (open-plan)))
    (tell "Do it all")
    (hear "^All done\\.$")
    (with-current-buffer plan
      (should (string-match-p "\\`\\* DONE buy milk\n\\* a\n\\* b\n\\* call Bob\n\\* c\n\\* d\n\\* from Emacs\n\\'"
                              (replace-regexp-in-string "^\\(CLOSED\\|:\\).*\n" "" (buffer-string))))
      (undo-once)
      (should (string-match-p "\\* call Ann\n" (buffer-string)))
      (should (equal (on-disk) "* TODO buy milk\n* a\n* b\n* call Ann\n* c\n* d\n")))))

(ert-deftest waits-for-other-buffers ()
  (let ((plan (open-plan)))
    (dolist (case (list (list "read-only" (lambda () (setq buffer-read-only t))
                              (lambda () (setq buffer-read-only nil)))
                        (list "narrowed" (lambda () (goto-char (point-min)) (narrow-to-region 1 5)) #'widen)
                        (list "plain UTF-8" (lambda () (set-buffer-file-coding-system 'latin-1))
                              (lambda () (set-buffer-file-coding-system 'utf-8-unix)))
                        (list "no undo" #'buffer-disable-undo #'buffer-enable-undo)
                        (list "run there failed"
                              (lambda () (add-hook 'before-change-functions #'ignore nil t)
                                (setq-local before-change-functions (list (lambda (&rest _) (error "No")))))
                              (lambda () (setq-local before-change-functions nil)))))
      (pcase-let ((`(,reason ,begin ,end) case))
        (with-current-buffer plan
          (let ((text (save-restriction (widen) (buffer-string))))
            (funcall begin)
            (tell reason)
            (hear (concat "^It waits: " reason "\\.$"))
            (hear (concat "its buffer.*" reason))
            (save-restriction
              (widen)
              (should (equal (buffer-string) text)))
            (funcall end)
            (let ((save-silently t)) (save-buffer))
            (wait-for "the edit that waited"
                      (lambda () (string-match-p (concat "\\`\\* TODO buy " reason "\n") (on-disk))))
            (revert-buffer t t t)
            (goto-char (point-max))
            (insert "* more\n")))))
    (should (equal (on-disk) (concat "* TODO buy run there failed\n* call Ann\n* from Emacs\n"
                                     "* more\n* more\n* more\n* more\n")))))

(defun die-in-the-middle (applies)
  "Have the daemon be killed when it asks for an edit; make that only where APPLIES."
  (let ((edit (alist-get :BUFFER-EDIT passepartout-wire-handlers)))
    (setf (alist-get :BUFFER-EDIT passepartout-wire-handlers)
          (lambda (payload)
            (setf (alist-get :BUFFER-EDIT passepartout-wire-handlers) edit)
            (when applies (funcall edit payload))
            (signal-process (string-to-number (getenv "DAEMON")) 'KILL)
            (sleep-for 0.2)
            nil))))

(ert-deftest edits-once-beside-a-killed-daemon ()
  (let ((plan (open-plan)))
    (die-in-the-middle (equal (getenv "APPLIES") "yes"))
    (tell "bread, not milk")
    (with-current-buffer plan
      (wait-for "the daemon that comes again" (lambda () (file-exists-p (getenv "DONE"))))
      (should (= 1 (how-many "buy bread" (point-min) (point-max))))
      (should (string-match-p "\\* from Emacs\n\\* buy bread\n" (buffer-string)))
      (should (equal (on-disk) "* TODO buy milk\n* call Ann\n")))))

(ert-deftest dies-while-it-edits ()
  (let ((plan (open-plan)) (edit (alist-get :BUFFER-EDIT passepartout-wire-handlers)))
    (setf (alist-get :BUFFER-EDIT passepartout-wire-handlers)
          (lambda (payload)
            (when (equal (getenv "APPLIES") "yes")
              (funcall edit payload)
              (with-current-buffer plan (let ((save-silently t)) (save-buffer))))
            (signal-process (emacs-pid) 'KILL)))
    (tell "bread, not milk")
    (sleep-for 60)))

(ert-deftest comes-later ()
  (setq create-lockfiles t)
  (with-current-buffer (find-file-noselect (getenv "PLAN"))
    (buffer-enable-undo)
    (goto-char (point-max))
    (insert "* from Emacs\n")
    (write-region "" nil (getenv "LOCKED") nil 'silent)
    (wait-for "the edit that waits" (lambda () (file-exists-p (getenv "WAITS"))))
    (let ((plan (current-buffer)))
      (open-conversation)
      (with-current-buffer plan
        (wait-for "the edit" (lambda () (string-match-p "bread" (buffer-string))))
        (should (equal (buffer-string) "* TODO buy bread\n* call Ann\n* from Emacs\n"))
        (should (equal (on-disk) "* TODO buy milk\n* call Ann\n"))))))
