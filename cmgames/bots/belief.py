"""prototype"""
from __future__ import annotations
import random
from bisect import bisect_right
from itertools import product
from math import comb, exp, log, prod
from cmgames.bots.likelihood import Asked, Seen, DIGIT

NEVER = float("-inf")

class Chain:
    """One rung: a state and its likelihood under one slip."""
    def __init__(self, seen, asked, order, slip, rng):
        self.seen, self.asked, self.slip, self.rng = seen, asked, slip, rng
        ds = asked[0].all
        self.logs = [{} for _ in ds]
        n = [d.drawn for d in ds]
        self.first = [bisect_right(n, i) for i in range(seen.draws)] + [len(ds)] * (seen.size - seen.draws)
        self.D, self.N = seen.draws, seen.size
        self.decs = ds
        self.tried = self.took = 0
        self.set(order)

    def log(self, d, key):
        found = self.logs[d].get(key)
        if found is None:
            p = 0.0
            for a in self.asked:
                x = a.answer(d, key)
                p += (self.slip * x.legal + (1 - self.slip) * x.does) / x.alike
            p /= len(self.asked)
            found = self.logs[d][key] = log(p) if p else NEVER
        return found

    def set(self, order):
        self.order = order
        w = self.seen.weights
        self.keys = []
        # hand before each decision
        # a card leaves at its throw event: thrown in sequence
        gone = 0
        thrown_seq = self.seen.throws_before
        for d, dec in enumerate(self.decs):
            key = sum(w[c.kind] for c in order[: dec.drawn]) - thrown_seq[d]
            self.keys.append(key)
        self.cur = [self.log(d, k) for d, k in enumerate(self.keys)]

    @property
    def total(self):
        return sum(self.cur)

    def propose(self, changes, ratio=0.0):
        """changes: list of (lo, delta) sorted: from decision lo on delta added. returns accepted."""
        u = log(self.rng.random()) - ratio
        return self._try(changes, u)

    def swap(self, i, j):
        order = self.order
        a, b = order[i], order[j]
        if a.leaves <= j:
            return False
        if a.kind == b.kind:
            order[i], order[j] = b, a
            return True
        w = self.seen.weights
        delta = w[b.kind] - w[a.kind]
        lo, hi = self.first[i], self.first[j]
        if self._try(lo, [delta] * (hi - lo), log(self.rng.random())):
            order[i], order[j] = b, a
            return True
        return False

    def _try(self, lo, deltas, bound):
        self.tried += 1
        hi = lo + len(deltas)
        keys, logs = self.keys, self.logs
        total = bound + sum(self.cur[lo:hi])   # new must reach it
        new, missing, s = [], [], 0.0
        for d in range(lo, hi):
            k = keys[d] + deltas[d - lo]
            v = logs[d].get(k)
            if v is None:
                missing.append(d)
                v = 0.0
            new.append(v)
            s += v
        if s < total:
            return False
        for d in reversed(missing) :
            v = self.log(d, keys[d] + deltas[d - lo])
            new[d - lo] = v
            s += v
            if s < total:
                return False
        self.cur[lo:hi] = new
        for d in range(lo, hi):
            keys[d] += deltas[d - lo]
        self.took += 1
        return True

    def relabel(self, a, b):
        order, D = self.order, self.D
        N = self.N
        sa = [i for i in range(D) if order[i].kind == a and order[i].leaves == N]
        sb = [i for i in range(D) if order[i].kind == b and order[i].leaves == N]
        if not sa and not sb:
            return False
        da = [i for i in range(D, N) if order[i].kind == a]
        db = [i for i in range(D, N) if order[i].kind == b]
        na, nb, m = len(sa), len(sb), len(da) + len(db)
        va, vb = na + len(da), nb + len(db)
        if na > vb or nb > va:
            return False
        ratio = log(comb(m, va - nb) / comb(m, va - na))
        w = self.seen.weights
        step = w[b] - w[a]
        lo = self.first[min(sa + sb)]
        delta = [0] * (len(self.decs) - lo)
        for i in sa:
            for d in range(self.first[i], len(self.decs)): delta[d - lo] += step
        for i in sb:
            for d in range(self.first[i], len(self.decs)): delta[d - lo] -= step
        if not self._try(lo, delta, log(self.rng.random()) - ratio):
            return False
        cards_a = [order[i] for i in sa + da]; cards_b = [order[i] for i in sb + db]
        where_a, where_b = sb, sa
        deck = da + db
        self.rng.shuffle(deck)
        where_a = sb + deck[: va - nb]
        where_b = sa + deck[va - nb:]
        for i, c in zip(where_a, cards_a, strict=True): order[i] = c
        for i, c in zip(where_b, cards_b, strict=True): order[i] = c
        return True

    def moves(self, n):
        r = self.rng.random
        D, N = self.D, self.N
        K = self.seen.rules.first_secrecy
        cats = self.seen.rules.categories
        for _ in range(n):
            u = r()
            if u < 0.2:
                cat = cats[int(r() * 3)]
                a, b = cat[int(r() * len(cat))], cat[int(r() * len(cat))]
                if a != b: self.relabel(a, b)
                continue
            while True:
                i = int(r() * D)
                j = int(r() * N)
                if i > j: i, j = j, i
                if i != j and self.order[i].leaves > j and self.order[i].kind != self.order[j].kind: break
                if i != j: self.swap(i, j)
            self.swap(i, j)


class Tempered:
    def __init__(self, rules, log, players, seed, slips):
        self.rng = random.Random(seed)
        self.seen = seen = Seen(rules, log)
        counts = [sum(c.code == code for c in seen.rest) for code in range(rules.first_secrecy)]
        size = rules.options.set_size
        plans = list(product(*rules.categories))
        ways = [prod(comb(counts[c], size) for c in p) for p in plans]
        if not any(ways): raise ValueError("no meld")
        def start():
            (plan,) = self.rng.choices(plans, ways)
            return seen.first(self.rng, plan)
        order = start()
        decs = seen.decisions(order, True)
        w = seen.weights
        seen.throws_before = []
        gone, thrown = 0, iter(seen.thrown)
        for d in decs:
            gone = sum(w[seen.card(c, 0).kind] for c in d.state.terrorist_discard)
            seen.throws_before.append(gone)
        self.asked = [Asked(seen, decs, p.choose) for p in players]
        self.rungs = [Chain(seen, self.asked, start(), s, self.rng) for s in slips]
        self.exch = [[0, 0] for _ in slips]
        self.melds = {}

    def sweep(self, n):
        for c in self.rungs: c.moves(n)
        for k in range(len(self.rungs) - 1):
            a, b = self.rungs[k], self.rungs[k + 1]
            ab = sum(b.log(d, key) for d, key in enumerate(a.keys))
            ba = sum(a.log(d, key) for d, key in enumerate(b.keys))
            self.exch[k][0] += 1
            if log(self.rng.random()) < ab + ba - a.total - b.total:
                self.exch[k][1] += 1
                a.order, b.order = b.order, a.order
                a.keys, b.keys = b.keys, a.keys
                a.cur = [a.log(d, key) for d, key in enumerate(a.keys)]
                b.cur = [b.log(d, key) for d, key in enumerate(b.keys)]

    def plan(self):
        """chances of melds in the coldest state."""
        c = self.rungs[0]
        key = c.keys[-1]
        if key not in self.melds:
            tot = {}
            for a in self.asked:
                for m, (p, s) in a.melds(key).items():
                    tot[m] = tot.get(m, 0) + (1 - c.slip) * p + c.slip * s
            z = sum(tot.values())
            self.melds[key] = {m: v / z for m, v in tot.items()}
        return self.melds[key]
