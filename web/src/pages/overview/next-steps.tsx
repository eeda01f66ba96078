/** From nothing to the first webhook, by lines that can be pasted. */
import { Anchor } from '@mantine/core'
import { CodeBlock } from '../../parts/code-block.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import state from '../../parts/state-page.module.css'
import { createHookCurl, listHooksCurl } from '../../words/curl.ts'
import styles from './overview.module.css'

export function NextSteps({ hasKey }: { hasKey: boolean }) {
  return (
    <Panel
      title="Your first webhook"
      about="A webhook is an address of yours to which we send an event as it happens, for example an inbound SMS."
    >
      <ol className={`${state.steps} ${styles.steps}`}>
        <li className={state.step}>
          <div className={styles.step}>
            <h3>{hasKey ? 'You have a key' : 'Create a key'}</h3>
            {hasKey ? (
              <p>
                Put it into the lines below. You can <TextLink to="/keys">view it again</TextLink> with your
                password.
              </p>
            ) : (
              <ButtonLink to="/keys" search={{ new: true }} size="xs">
                Create a key
              </ButtonLink>
            )}
          </div>
        </li>
        <li className={state.step}>
          <div className={styles.step}>
            <h3>Register an address for inbound SMS</h3>
            <CodeBlock what="command that registers a webhook" text={createHookCurl('<your key>')} />
          </div>
        </li>
        <li className={state.step}>
          <div className={styles.step}>
            <h3>See that it is there</h3>
            <CodeBlock what="command that lists webhooks" text={listHooksCurl('<your key>')} />
            <p>
              Every call is described in the <Anchor href="/docs">API reference</Anchor>.
            </p>
          </div>
        </li>
      </ol>
    </Panel>
  )
}
