/** One of a few, as a row of chips: which part of a list is shown. */
import styles from './choices.module.css'

export interface Choice {
  title: string
  isChosen: boolean
  choose: () => void
}

export function Choices({ label, choices }: { label: string; choices: readonly Choice[] }) {
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
