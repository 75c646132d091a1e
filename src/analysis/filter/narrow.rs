//! Whether one filter is narrower than another, as far as their forms prove it.

use std::cmp::Ordering;

use super::super::grammar::Op;
use super::Term;
use super::value::{Comparison, Limit};

/// Pairs of terms looked at; trees that would need more are called unproven, and all rows are filtered.
const MAX_STEPS: u32 = 2_000;

/// Whether every row that passes `a` passes `b`.
pub(super) fn implies(a: &Term, b: &Term) -> bool {
    let mut left = MAX_STEPS;
    proves(a, b, &mut left)
}

/// Stops where no steps are left.
fn proves(a: &Term, b: &Term, left: &mut u32) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    // What must hold of all comes first: it loses no proof.
    match (a, b) {
        (_, Term::All(bs)) => bs.iter().all(|b| proves(a, b, left)),
        (Term::Any(all), _) => all.iter().all(|a| proves(a, b, left)),
        (Term::All(all), Term::Any(bs)) => {
            all.iter().any(|a| proves(a, b, left)) || bs.iter().any(|b| proves(a, b, left))
        }
        (Term::All(all), _) => all.iter().any(|a| proves(a, b, left)),
        (_, Term::Any(bs)) => bs.iter().any(|b| proves(a, b, left)),
        (Term::Not(a), Term::Not(b)) => proves(b, a, left),
        (Term::Text(a), Term::Text(b)) => a.implies(b),
        (Term::Compare(a), Term::Compare(b)) => comparisons(a, b),
        _ => false,
    }
}

fn comparisons(a: &Comparison, b: &Comparison) -> bool {
    let vw = match (&a.limit, &b.limit) {
        _ if a.field != b.field => return false,
        (Limit::Number(v), Limit::Number(w)) => v.partial_cmp(w),
        (Limit::Day(Some(v)), Limit::Day(Some(w))) => Some(v.cmp(w)),
        (Limit::Word(v), Limit::Word(w)) => Some(a.field.order(v, w)),
        (v, w) => return a.op == b.op && v == w,
    };
    ordered(a.op, b.op, vw)
}

/// Whether `x a v` proves `x b w`, where `vw` is how v stands to w.
fn ordered(a: Op, b: Op, vw: Option<Ordering>) -> bool {
    use Op::{Above, AtLeast, AtMost, Below, Equal, Unequal};
    let Some(vw) = vw else { return false };
    match (a, b) {
        (Equal, b) => b.holds(Some(vw)),
        (Unequal, Unequal) => vw.is_eq(),
        (Above, Above | AtLeast | Unequal) | (AtLeast, AtLeast) => vw.is_ge(),
        (AtLeast, Above | Unequal) => vw.is_gt(),
        (Below, Below | AtMost | Unequal) | (AtMost, AtMost) => vw.is_le(),
        (AtMost, Below | Unequal) => vw.is_lt(),
        _ => false,
    }
}
