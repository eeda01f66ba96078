/**
 * Sends email after the response, once. A failure is logged without address or text. A user who gets no email requests
 * another.
 */
import { createBackgroundTasks } from './background-tasks.ts'
import { createMailTransport, type Email, type MailSettings } from './mail-transport.ts'

export interface Mailer {
  send: (email: Email) => void
  stop: () => Promise<void>
}

export function createMailer(settings: MailSettings, onError: (error: unknown) => void): Mailer {
  const transport = createMailTransport(settings)
  const tasks = createBackgroundTasks(onError)
  return {
    send: (email) => void tasks.run(() => transport.deliver(email)),
    async stop() {
      await tasks.stop()
      transport.close()
    },
  }
}
