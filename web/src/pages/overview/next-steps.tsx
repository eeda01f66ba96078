/** From nothing to the first delivered event. */
import { Anchor } from '@mantine/core'
import { CodeBlock } from '../../parts/code-block.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import state from '../../parts/state-page.module.css'
import { createHookCurl } from '../../words/curl.ts'
import styles from './overview.module.css'

export function NextSteps() {
  return (
    <Panel
      title="Your first webhook"
      about="A webhook is an address of yours to which we send an event as it happens, for example an inbound SMS."
    >
      <ol className={`${state.steps} ${styles.steps}`}>
        <li className={state.step}>
          <div className={styles.step}>
            <h3>Register an address</h3>
            <p>The form shows the request that your server will get, before anything is saved.</p>
            <ButtonLink to="/webhooks/new">New webhook</ButtonLink>
          </div>
        </li>
        <li className={state.step}>
          <div className={styles.step}>
            <h3>Send a test to it</h3>
            <p>It goes the way that every event goes, and what your server answered is shown at once.</p>
          </div>
        </li>
        <li className={state.step}>
          <div className={styles.step}>
            <h3>See what became of it</h3>
            <p>
              Every event says where it went, what was answered and what comes next; or why it was not sent.
            </p>
          </div>
        </li>
      </ol>
      <div className={`${styles.step} ${styles.terminal}`}>
        <p>
          Rather from a terminal? With an <TextLink to="/keys">API key</TextLink>, this line registers an
          address. The <Anchor href="/docs">API reference</Anchor> has every call.
        </p>
        <CodeBlock what="command that registers a webhook" text={createHookCurl('<your key>')} />
      </div>
    </Panel>
  )
}
