/** Words for what nobody else is to know, in many languages: the source of a regular expression for text in lower case and NFC. Each stands for all that begins or ends with it. */
export const secretWordsOfLanguages: string = (
  "pass(?:word|phrase|code)|passwor[dt]|kennwort|geheim|secret(?!ar|ion)|token|mot de passe|phrase secr|code secret|clé (?:d.)?(?:api|secr)|contraseñ|clave|senha|palavra-passe|" +
  "wachtwoord|lösen(?:ord|fras)|adgangskode|passord|salasana|hasł|heslo|jelsz|parol|şifre|lozink|geslo|slaptaž|κωδικ|парол|секрет|ключ (?:api|доступа|апи)|таємн|סיסמ|סוד|" +
  "كلمة (?:ال)?(?:مرور|سر)|رقم السر|رمز التحقق|گذرواژه|رمز عبور|पासवर्ड|कूटशब्द|गुप्त|密码|密碼|口令|密钥|密鑰|验证码|驗證碼|秘密|パスワード|パスフレーズ|暗証|認証コード|apiキー|비밀|암호|인증번호|" +
  "รหัส|mật khẩu|mã xác|kata sandi"
).normalize("NFC");
