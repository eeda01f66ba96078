/** Shortens the windows of the alert rules, so that a proof sees alerts within seconds. */
import { parse, stringify } from 'yaml'

interface Rules {
  groups: Array<{ rules: Array<{ expr: string; for?: string }> }>
}

const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 }

export function scaleRules(text: string, divisor: number): string {
  const rules = parse(text) as Rules
  const scale = (duration: string): string =>
    duration.replace(/(\d+)([smhd])/g, (_, count: string, unit: keyof typeof seconds) => {
      return `${Math.ceil((Number(count) * seconds[unit]) / divisor)}s`
    })
  for (const rule of rules.groups.flatMap((group) => group.rules)) {
    rule.expr = rule.expr.replace(/\[[^\]]+\]/g, scale)
    if (rule.for !== undefined) rule.for = scale(rule.for)
  }
  return stringify(rules)
}
