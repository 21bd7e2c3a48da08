/** Sees at once that a condition on one property cannot be added to others, without building whole objects. */

import type { Solver } from './result.ts'
import type { Term } from './term.ts'

interface Named {
  /** Conditions on the property where it is there. */
  readonly rules: Term[]
  /** Conditions on the property, which must be there. */
  readonly needs: Term[]
}

export class DeadBranches {
  private readonly solver: Solver
  private readonly names = new Map<string, Named>()

  /** @param atoms conditions on one object. */
  constructor(atoms: readonly Term[], solver: Solver) {
    this.solver = solver
    for (const atom of atoms) {
      if (atom.kind !== 'every' && atom.kind !== 'some') continue
      const name = atom.keys.sole
      if (name === undefined) continue
      const known = this.names.get(name) ?? { rules: [], needs: [] }
      known[atom.kind === 'every' ? 'rules' : 'needs'].push(atom.term)
      this.names.set(name, known)
    }
  }

  /** True only where no object meets the atoms and this part too. */
  isDead(part: Term): boolean {
    if (part.kind !== 'every' && part.kind !== 'some') return false
    const name = part.keys.sole
    if (name === undefined) return false
    const known = this.names.get(name) ?? { rules: [], needs: [] }
    if (part.kind === 'every' && known.needs.length === 0) return false
    const value = this.solver.terms.and([...known.rules, ...known.needs, part.term])
    return this.solver.below(name, value).kind === 'empty'
  }
}
