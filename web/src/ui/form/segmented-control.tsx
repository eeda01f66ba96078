/** Row of buttons that selects one option, for example to filter a list. */
import styles from './segmented-control.module.css'

export interface Choice {
  title: string
  isChosen: boolean
  choose: () => void
}

export function SegmentedControl({ label, choices }: { label: string; choices: readonly Choice[] }) {
  return (
    <div className={styles.choices} role="group" aria-label={label}>
      {choices.map(({ title, isChosen, choose }) => (
        <button key={title} className={styles.choice} type="button" aria-pressed={isChosen} onClick={choose}>
          {title}
        </button>
      ))}
    </div>
  )
}
