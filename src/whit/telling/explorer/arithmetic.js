/* From the tables to an answer. Every step rounds up: an answer is never below what whit gives. */
"use strict";

const WHIT = (() => {
  const TABLES = JSON.parse(document.getElementById("tables").textContent);

  /* More than the rounding of the few operations that follow. */
  const HAIR = 1e-12;
  const raised = (value) => value + HAIR * Math.abs(value);

  /* The chord between two steps of mu: the loss is convex in mu, so that it lies on or below the chord. */
  function chord(losses, mu) {
    if (!(mu <= TABLES.largest)) return Infinity;
    const place = (mu / TABLES.largest) * TABLES.steps;
    const step = Math.min(Math.floor(place), TABLES.steps - 1);
    const share = place - step;
    return raised((losses[step] * (1 - share) + losses[step + 1] * share) / TABLES.units.loss);
  }

  /* The power at the next larger mu of the table: a weaker promise allows no less. */
  function nextPower(table, mu) {
    const wanted = mu * TABLES.units.mu;
    let low = 0, high = table.mu.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (table.mu[middle] >= wanted) high = middle;
      else low = middle + 1;
    }
    return low < table.mu.length ? table.power[low] / TABLES.units.power : 1;
  }

  const muOf = {
    zcdp: (asked) => raised(Math.sqrt(2 * asked.rho)),
    gdp: (asked) => asked.mu,
    gaussian: (asked) => raised(1 / asked.sigma),
  };

  function tableOf(asked) {
    if (asked.kind !== "gaussian") return TABLES.losses[asked.kind];
    if (asked.knows === "any-belief") return TABLES.losses.gdp;
    return asked.when === "ever" ? TABLES.losses.gaussian_ever : TABLES.losses.gaussian_end;
  }

  /* The loss that is exceeded with at most the failure probability. */
  function loss(asked) {
    if (asked.kind === "pure") return asked.epsilon;
    if (asked.kind === "approximate") {
      if (asked.delta === 0) return asked.epsilon;
      if (!(asked.delta < asked.failure)) return Infinity;
      return raised(asked.epsilon - Math.log1p(-raised(asked.delta / asked.failure)));
    }
    return chord(tableOf(asked)[TABLES.failures.indexOf(asked.failure)], muOf[asked.kind](asked));
  }

  function posterior(asked, prior) {
    if (prior === 0 || prior === 1) return prior;
    const odds = (prior / (1 - prior)) * Math.exp(loss(asked));
    return odds === Infinity ? 1 : Math.min(raised(odds / (1 + odds)), 1);
  }

  function power(asked, level) {
    if (asked.kind === "pure" || asked.kind === "approximate") {
      const delta = asked.kind === "pure" ? 0 : asked.delta;
      const near = Math.exp(asked.epsilon) * level + delta;
      const far = 1 - Math.exp(-asked.epsilon) * Math.max(1 - level - delta, 0) * (1 - HAIR);
      return Math.min(raised(near), raised(far), 1);
    }
    const tables = TABLES.powers[asked.kind === "zcdp" ? "zcdp" : "gdp"];
    return nextPower(tables[TABLES.levels.indexOf(level)], muOf[asked.kind](asked));
  }

  return { posterior, power, loss, failures: TABLES.failures, levels: TABLES.levels };
})();
