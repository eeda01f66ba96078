/**
 * The most expensive filters. The service may reject some of them: a rejected filter is counted, and its webhook gets
 * the next one.
 */
const square = 's.split("").join(s)'
const bound = (depth: number, inner: string): string =>
  depth === 0 ? inner : `cel.bind(s, ${square}, ${bound(depth - 1, inner)})`
const repeated = (part: string, glue: string, bytes: number): string =>
  Array.from({ length: Math.floor(bytes / (part.length + glue.length)) }, () => part).join(glue)

const maxBytes = 1_020

export const worstFilters: readonly string[] = [
  `cel:cel.bind(s, data.text, ${bound(6, 's.size() > 0')})`,
  'cel:data.text.split(" ").exists(x, data.text.contains(x+x+x))',
  'cel:data.text.split("").join(data.text).size() > 0',
  'cel:data.text.split("").map(x, data.text + x).join("").size() < 0',
  'cel:data.list.exists(x, data.list.exists(y, x == y && x != y))',
  'cel:data.list.all(x, x in data.list)',
  'cel:data.list.map(x, data.list).size() < 0',
  'cel:data.list + data.list + data.list + data.list == data.list',
  'cel:data == data && data.list == data.list && data.text == data.text',
  `cel:${repeated('data.text.contains(data.text)', ' && ', maxBytes)}`,
  `cel:${repeated('data.text.lowerAscii().contains("zz")', ' || ', maxBytes)}`,
  `cel:${repeated('string(data.text + data.text).endsWith("y")', ' || ', maxBytes)}`,
  `cel:data.text.matches("(a+)+$") || data.text.matches("(.*)*x")`,
  `cel:data.text.matches("^(([a-z])+.)+[A-Z]([a-z])+$")`,
  `cel:${repeated('data.exists(k, k.contains("q"))', ' || ', maxBytes)}`,
  `cel:data.text.replace("a", "aaaaaaaaaaaaaaaa").size() > 5`,
  `cel:${'('.repeat(20)}data.text.size() > 1${')'.repeat(20)}`,
  `cel:${repeated('data.list.filter(x, x > 1).size() > 1', ' || ', maxBytes)}`,
  Array.from({ length: 60 }, (_, n) => String(491_700_000_000 + n)).join(','),
]
