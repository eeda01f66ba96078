/** Domains whose addresses belong to people of many organizations. No account can speak for them. */

/** Mail providers with addresses for everybody. */
const mailProviders: ReadonlySet<string> = new Set(
  `aol.com duck.com fastmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com
   hey.com hotmail.com hotmail.de hotmail.fr hotmail.co.uk icloud.com laposte.net libero.it live.com mac.com mail.com
   mail.ru mailbox.org me.com msn.com naver.com orange.fr outlook.com outlook.de outlook.fr pm.me posteo.de proton.me
   protonmail.com qq.com rediffmail.com t-online.de tutanota.com wanadoo.fr web.de yahoo.com yahoo.co.jp yahoo.co.uk
   yahoo.de yahoo.fr yandex.com yandex.ru ymail.com zoho.com 126.com 163.com`.split(/\s+/),
)

/** Suffixes with two labels under which anybody can register a name. All suffixes with one label are rejected anyway. */
const publicSuffixes: ReadonlySet<string> = new Set(
  `ac.jp ac.uk co.at co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.cn com.hk com.mx com.my
   com.pl com.sg com.tr com.tw com.ua edu.au edu.pl gov.au gov.uk me.uk ne.jp net.au net.br net.cn net.nz or.at or.jp
   org.au org.br org.cn org.nz org.uk org.za azurewebsites.net cloudfront.net eu.org github.io gitlab.io
   herokuapp.com netlify.app onmicrosoft.com pages.dev vercel.app web.app workers.dev`.split(/\s+/),
)

export function isShared(domain: string): boolean {
  return mailProviders.has(domain) || publicSuffixes.has(domain)
}
