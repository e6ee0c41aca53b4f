;;; complete.el --- Complete a file as a user does  -*- lexical-binding: t -*-

;;; Commentary:

;; emacs --batch --quick --load SETTINGS --load complete.el FILE OFFSET
;;
;; Opens the file, waits for the server, presses the completion key until a text is inserted, saves the file, and
;; prints the inserted text.

;;; Code:

(require 'eglot)

(setq eglot-sync-connect t
      eglot-connect-timeout 120
      jsonrpc-default-request-timeout 120
      eglot-autoshutdown nil
      make-backup-files nil
      native-comp-jit-compilation nil)

(let ((file (pop command-line-args-left))
      (offset (string-to-number (pop command-line-args-left)))
      (ends (+ (float-time) 120)))
  (find-file file)
  (setq buffer-file-coding-system 'utf-8-unix)
  (apply #'eglot (eglot--guess-contact))
  (goto-char (+ (point-min) offset))
  (let ((before (buffer-string)))
    (while (and (equal (buffer-string) before) (< (float-time) ends))
      (completion-at-point)
      (accept-process-output nil 0.1))
    (let ((inserted (- (buffer-size) (length before))))
      (save-buffer)
      (eglot-shutdown-all)
      (princ (format "%S" (buffer-substring (- (point) inserted) (point)))))))

;;; complete.el ends here
