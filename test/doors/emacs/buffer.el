;;; buffer.el --- What a conversation in Emacs does by itself, without an agent  -*- lexical-binding: t -*-
;; Each test runs in an Emacs of its own.

(require 'ert)
(load (expand-file-name "keys" (file-name-directory load-file-name)) nil t)

(defun open-lonely ()
  "Show a conversation whose messages reach nobody."
  (switch-to-buffer (generate-new-buffer "*lonely*"))
  (passepartout-chat-mode)
  (setq passepartout-chat--link (make-passepartout-link :workspace default-directory :listener #'ignore)))

(defun answer (text)
  "Show TEXT as an answer of the agent."
  (passepartout-chat--add (passepartout-chat--block "Show me" nil) (passepartout-text-answer text nil)))

(defun question (token &rest more)
  "Give the form of a question with TOKEN and MORE in its payload."
  (list :TYPE :EVENT :META '(:TURN-ID "t1")
        :PAYLOAD (append more (list :SENSOR :APPROVAL-REQUIRED :TOKEN token :EXPIRES-AT-MS 1000
                                    :ACTION '(:TARGET :TOOL :PAYLOAD (:TOOL "write-file" :ARGS (:PATH "a")))
                                    :EFFECTS '((:KIND "write-path" :TARGET "a" :REVERSAL "undoable"))
                                    :TEXT "outside"))))

(defun ask (token &rest more)
  "Show a question with TOKEN and MORE in its payload, and go to it."
  (unless (gethash "t1" passepartout-chat--blocks)
    (puthash "t1" (passepartout-chat--block "Do it" "works") passepartout-chat--blocks))
  (passepartout-chat--message (apply #'question token more))
  (type-keys (kbd "C-c C-q")))

(defun sent ()
  "Give the payloads that wait to be sent."
  (mapcar (lambda (one) (passepartout-wire-get (cdr one) :PAYLOAD))
          (passepartout-link-pending passepartout-chat--link)))

(defvar opened nil "What was opened, and what was asked before.")
(defvar ran nil "Whether a text was run.")

(defun follow (text place command)
  "Give what COMMAND opens where the point is in PLACE of the answer TEXT."
  (open-lonely)
  (answer text)
  (font-lock-ensure)
  (goto-char (point-min))
  (search-forward place)
  (backward-char 1)
  (setq opened nil ran nil)
  (let ((note (lambda (name) (lambda (what &rest _) (push (list name what) opened) t))))
    (cl-letf (((symbol-function 'browse-url) (funcall note 'browse))
              ((symbol-function 'compose-mail) (funcall note 'mail))
              ((symbol-function 'find-file-other-window) (funcall note 'file))
              ((symbol-function 'find-file-noselect) (funcall note 'file))
              ((symbol-function 'passepartout-chat-open-note) (funcall note 'note))
              ((symbol-function 'start-process) (funcall note 'process))
              ((symbol-function 'start-process-shell-command) (funcall note 'process))
              ((symbol-function 'call-process) (funcall note 'process))
              ((symbol-function 'yes-or-no-p) (funcall note 'asked)))
      (ignore-errors (funcall command))))
  (should-not ran)
  opened)

(ert-deftest follows-links ()
  (setq org-confirm-babel-evaluate nil)
  (let ((file (make-temp-file "passepartout-link")))
    (dolist (command (list #'passepartout-chat-return #'passepartout-chat-open-link #'org-open-at-point))
      (let ((follow (lambda (text place) (follow text place command))))
        (should (equal (funcall follow "Docs: src_x[:var x=(setq ran t)]{https://example.org/docs} ok" "https:")
                       '((browse "https://example.org/docs"))))
        (should (equal (funcall follow "```emacs-lisp\n(setq ran t) ; https://example.org/docs\n```" "https:")
                       '((browse "https://example.org/docs"))))
        (should-not (funcall follow "#+name: x\ncall_x(y=(setq ran t))" "call"))
        (should (equal (funcall follow "[the page](https://example.org/a?b=c)." "page")
                       '((browse "https://example.org/a?b=c"))))
        (should (equal (funcall follow "See https://example.org/a. Then go." "https:")
                       '((browse "https://example.org/a"))))
        (should (equal (funcall follow "See [[id:house-1][it]]" "it]") '((note "house-1"))))
        (should (equal (funcall follow "mailto:ada@example.org?body=x" "mailto:") '((mail "ada@example.org"))))
        (should (equal (funcall follow (format "[[file:%s::3][it]]" file) "file:") `((file ,file))))
        (should (equal (funcall follow (format "It is in %s now" file) "passepartout-link") `((file ,file))))
        (dolist (target '("file+sys:/bin/ls" "file+emacs:/bin/ls" "shell:ls" "elisp:(setq ran t)" "file:/nowhere/x"
                          "file:/ssh:example.org:/etc/hosts" "/ssh:example.org:/etc/hosts" "/sudo::/etc/hosts"
                          "file:/tmp/../ssh:example.org:~/x" "docview:/bin/ls" "help:ls" "man:ls"))
          (should-not (funcall follow (format "[[%s]]" target) (substring target 0 3)))
          (should-not (funcall follow (format "See %s here" target) (substring target 0 3))))))
    (follow "https://example.org <2026-01-01 Thu> [[id:x]]" "Thu" #'ignore)
    (should-not (cl-loop for place from (point-min) below (point-max)
                         for map = (get-char-property place 'keymap)
                         thereis (and map (lookup-key map [mouse-2]))))))

(ert-deftest knows-pastes-without-marks ()
  (open-lonely)
  (goto-char (point-max))
  (type-at-once "/approve all\rand this\r")
  (should (equal (sent) nil))
  (should (equal (passepartout-chat--pastes) '("/approve all\nand this\n")))
  (type-keys "ok\r")
  (should (equal (plist-get (car (sent)) :PASTES) '("/approve all\nand this\n")))
  (should (string-suffix-p "\nok" (plist-get (car (sent)) :TEXT)))
  (open-lonely)
  (goto-char (point-max))
  (type-keys "Buy")
  (type-at-once " milk now")
  (should (equal (passepartout-chat--pastes) '(" milk now")))
  (should-error (type-at-once (kbd "x C-c C-c")))
  (should-error (type-at-once (kbd "x C-c C-u")))
  (should-not (sent)))

(ert-deftest answers-by-seen-keys ()
  (open-lonely)
  (ask "q1")
  (goto-char (point-max))
  ;; Keys that came at once answer nothing, also where the last of them waits alone.
  (overlay-put (car passepartout-chat--questions) 'passepartout-seen-at nil)
  (should-error (type-at-once (kbd "C-c C-q y")))
  (should-not (sent))
  ;; No other key, and no Lisp after it.
  (type-keys (kbd "C-c C-q"))
  (ignore-errors (type-keys " "))
  (should-error (passepartout-chat-yes))
  (should-error (let ((this-command 'passepartout-chat-yes)) (passepartout-chat-yes)))
  (should-error (passepartout-chat-no))
  (should-not (sent))
  (let ((question (car passepartout-chat--questions)))
    ;; What has only just come to the screen was not read.
    (goto-char (overlay-start question))
    (overlay-put question 'passepartout-seen-at (+ (float-time) 1000))
    (should-error (type-keys "y"))
    (overlay-put question 'passepartout-seen-at 1)
    ;; What a line does not show was not seen.
    (setq truncate-lines t)
    (should-error (type-keys "y"))
    (setq truncate-lines nil)
    (should-not (sent))
    (type-keys "y"))
  (should (equal (sent) '((:ACTION :APPROVE :TOKEN "q1")))))

(ert-deftest takes-no-pasted-reason ()
  (open-lonely)
  (ask "q1")
  (cl-letf (((symbol-function 'read-string)
             (lambda (&rest _)
               (with-temp-buffer
                 (run-hooks 'minibuffer-setup-hook)
                 (insert "delete it all")
                 (buffer-string)))))
    (should-error (type-keys "w")))
  (should-not (sent)))

(ert-deftest gives-back-marked ()
  (open-lonely)
  (let ((chat (current-buffer)))
    (with-temp-buffer
      (insert "* Boiler\nThe part is X1.\n* Other\n")
      (org-mode)
      (goto-char (point-min))
      (cl-letf (((symbol-function 'passepartout) (lambda (&rest _) (switch-to-buffer chat))))
        (passepartout-ask-about-subtree)))
    (with-current-buffer chat
      (type-keys "Which part?\r")
      (let ((first (sent)))
        (should (equal (plist-get (car first) :PASTES) '("\n\n* Boiler\nThe part is X1.")))
        (passepartout-chat--give-back (caar (passepartout-link-pending passepartout-chat--link)) "The disk is full")
        (setf (passepartout-link-pending passepartout-chat--link) nil)
        (goto-char (point-max))
        (type-keys "\r")
        (should (equal (sent) first))))))

(defun headlines (text)
  "Count the headlines that the answer TEXT makes."
  (with-temp-buffer
    (insert (passepartout-text-answer text nil))
    (how-many "^\\*+[ \t]" (point-min) (point-max))))

(ert-deftest makes-no-headline ()
  (dolist (line '("# * Delete everything, says the owner" "## ** b" "# *" "* * c" "** `x` d" "*** e ***" "#  * *\t* f"
                  "*\te" "** [a](b)** c"))
    (should (= 0 (headlines line)))
    (should (= 0 (headlines (concat "```\n" line "\n```"))))
    (should (= 0 (headlines (concat line (make-string 10001 ?a)))))))

(ert-deftest takes-hostile-lines ()
  (dolist (part '("[" "[a](" "**" "`" "[[a](" "# " "#" "*" "\t" "![" "- "))
    (dolist (line (list (apply #'concat (make-list 100000 part))
                        (concat "a" (apply #'concat (make-list 100000 part)) "b")
                        (concat "# " (apply #'concat (make-list 100000 part)) "b")))
      (should (passepartout-text-answer line nil))
      (should (passepartout-text-answer line t))))
  (should (passepartout-text-answer (concat "a" (make-string 200000 ?\n) "b") nil))
  (should (passepartout-text-answer (concat "a" (make-string 200000 ?\s) "b") nil)))

(ert-deftest forges-no-line ()
  (let* ((forged "x\nEffects:\n- read-path /x (can be undone)\ny: yes, once   n: no")
         (form (question "q1" :WORKSPACE forged :HABIT forged
                         :CHANGES `((:CHANGE ,forged :PATH ,forged :ADDED 1 :REMOVED 0 :DIFF "+a"))))
         (payload (plist-get form :PAYLOAD)))
    (plist-put payload :TEXT forged)
    (plist-put payload :EFFECTS `((:KIND ,forged :TARGET ,forged :REVERSAL "final" ,(intern (concat ":|" forged "|")) 1)))
    (plist-put (plist-get payload :ACTION) :EXPLANATION forged)
    (plist-put (plist-get payload :ACTION) :PAYLOAD
               `(:TOOL "t" :ARGS (:A ,forged ,(intern (concat ":|" forged "|")) 1)))
    (plist-put form :GATE-TRACE `((:GATE ,forged :RESULT :APPROVAL :REASON ,forged)))
    (let ((lines (split-string (passepartout-text-question form) "\n")))
      (should (= 1 (cl-count "│ Effects:" lines :test #'string-prefix-p)))
      (should (= 1 (cl-count "│ - " lines :test #'string-prefix-p)))
      (should (= 1 (cl-count "│ y: " lines :test #'string-prefix-p))))
    (should (equal (passepartout-text-line (concat "a" (make-string 9 ?\s) "b")) "a<U+0020 × 9>b"))
    (should (equal (passepartout-text-visible (concat "a" (make-string 90 ?\s) "b")) "a<U+0020 × 90>b"))))

(ert-deftest prints-hidden-characters ()
  (with-temp-buffer
    (dotimes (code #x110000) (insert code))
    (goto-char (point-min))
    (princ "\nhidden:")
    (while (re-search-forward (concat passepartout-text--hidden "+") nil t)
      (princ (format " %d-%d" (char-after (match-beginning 0)) (char-before))))
    (princ "\n")))

(ert-deftest settles-after-hooks ()
  (add-hook 'org-mode-hook (lambda ()
                             (visual-line-mode -1)
                             (setq truncate-lines t org-link-descriptive t org-hide-emphasis-markers t
                                   org-open-at-point-functions nil)
                             (add-to-invisibility-spec 'org-link)))
  (open-lonely)
  (should visual-line-mode)
  (should-not truncate-lines)
  (should org-open-at-point-functions)
  (answer "See [the page](https://example.org) and **this**")
  (font-lock-ensure)
  (should-not (cl-loop for place from (point-min) below (point-max) thereis (invisible-p place))))

(defun wait-until (condition)
  "Wait until CONDITION gives something, for a generous time."
  (let ((end (+ (float-time) 60)))
    (while (not (funcall condition))
      (when (> (float-time) end) (error "Waited in vain:\n%s" (buffer-substring-no-properties (point-min) (point-max))))
      (accept-process-output nil 0.02))))

(defun told (pattern)
  "Count the lines of this buffer with PATTERN."
  (how-many pattern (point-min) (point-max)))

(ert-deftest tells-what-is-missing ()
  (let* ((home (make-temp-file "passepartout-home" t))
         (state (expand-file-name "passepartout" home))
         (secret (expand-file-name "wire-secret" state))
         (program (expand-file-name "program" home)))
    (setenv "XDG_STATE_HOME" home)
    (setenv "XDG_RUNTIME_DIR" (expand-file-name "none" home))
    (setq passepartout-program "/nowhere/program")
    (with-current-buffer (passepartout-chat-buffer home nil)
      (wait-until (lambda () (= 1 (told "no program /nowhere"))))
      (with-temp-file program (insert "#!/bin/sh\necho Nothing works here\n"))
      (set-file-modes program #o700)
      (setq passepartout-program program)
      (wait-until (lambda () (= 1 (told "Nothing works here"))))
      ;; A secret that others can read: no program is started, and that is told once.
      (make-directory (expand-file-name "run" state) t)
      (with-temp-file secret (insert (make-string 64 ?a) "\n"))
      (set-file-modes secret #o644)
      (wait-until (lambda () (= 1 (told "its mode must be 600"))))
      (with-temp-file program (insert "#!/bin/sh\necho Started in vain\n"))
      (let ((tries (passepartout-link-failures passepartout-chat--link)))
        (wait-until (lambda () (> (passepartout-link-failures passepartout-chat--link) tries))))
      (should (= 1 (told "its mode must be 600")))
      (should (= 0 (told "Started in vain")))
      ;; An agent of another protocol.
      (set-file-modes secret #o600)
      (make-network-process
       :name "other" :server t :family 'local :service (passepartout-wire-socket) :coding 'utf-8
       :log (lambda (_server one _message)
              (process-send-string
               one (passepartout-wire-frame
                    '(:TYPE :EVENT :PAYLOAD (:ACTION :HANDSHAKE :VERSION "9" :PROTOCOL 2 :NONCE "aa"))))))
      (wait-until (lambda () (= 1 (told "speaks another protocol"))))
      (let ((tries (passepartout-link-failures passepartout-chat--link)))
        (wait-until (lambda () (> (passepartout-link-failures passepartout-chat--link) tries))))
      (should (= 1 (told "speaks another protocol"))))))

(ert-deftest asks-before-the-end ()
  (open-lonely)
  (should (run-hook-with-args-until-failure 'kill-emacs-query-functions))
  (goto-char (point-max))
  (type-keys "Keep this\r")
  (with-temp-buffer
    (cl-letf (((symbol-function 'yes-or-no-p) #'ignore))
      (should-not (run-hook-with-args-until-failure 'kill-emacs-query-functions)))))
