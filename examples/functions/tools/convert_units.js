const factors = {
  length: { m: 1, km: 1000, mi: 1609.344, ft: 0.3048 },
  weight: { kg: 1, g: 0.001, lb: 0.45359237, oz: 0.028349523125 },
}

/**
 * Convert an amount from one unit to another of the same kind.
 *
 * @typedef {Object} Args
 * @property {number} amount - How much
 * @property {'m'|'km'|'mi'|'ft'|'kg'|'g'|'lb'|'oz'} from - The unit it is in
 * @property {'m'|'km'|'mi'|'ft'|'kg'|'g'|'lb'|'oz'} to - The unit that is wanted
 * @property {integer} [digits] - Digits after the point
 * @param {Args} args
 */
exports.run = ({ amount, from, to, digits = 3 }) => {
  const kind = Object.keys(factors).find(name => from in factors[name] && to in factors[name])
  if (kind === undefined) throw new Error(`${from} cannot be turned into ${to}`)
  const value = (amount * factors[kind][from]) / factors[kind][to]
  console.error(`1 ${from} is ${factors[kind][from] / factors[kind][to]} ${to}`)
  return { amount: Number(value.toFixed(digits)), unit: to, kind }
}
