// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissCause;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallConventionTest {
    /** More than a convention remembers. */
    private static final int CALLS = 20_000;

    private static final List<CallOutcome> OUTCOMES = List.of(CallOutcome.values());
    private static final List<MissCause> CAUSES = List.of(MissCause.values());

    private final CallConvention convention = new CallConvention();

    private static final class Ended extends CallContext {
        private final CallOutcome outcome;
        private final Set<MissCause> causes;

        Ended(String cache, String operation, CallOutcome outcome, Set<MissCause> causes) {
            super("manager", cache, operation, "key");
            this.outcome = outcome;
            this.causes = causes;
        }

        @Override
        public CallOutcome outcome() {
            return outcome;
        }

        @Override
        public Set<MissCause> causes() {
            return causes;
        }
    }

    @Test
    void keyValues_areThoseOfTheCall_howeverManyDifferentOnesThereWere() {
        Random random = new Random(92);
        for (int i = 0; i < CALLS; i++) {
            String cache = "cache" + random.nextInt(500);
            String operation = random.nextBoolean() ? "get" : "put";
            CallOutcome outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
            MissCause cause = CAUSES.get(random.nextInt(CAUSES.size()));
            boolean isMissed = random.nextBoolean();
            Ended call = new Ended(cache, operation, outcome, isMissed ? EnumSet.of(cause) : Set.of());

            assertThat(convention.getLowCardinalityKeyValues(call))
                    .as("call %d", i)
                    .isEqualTo(KeyValues.of(
                            KeyValue.of("cache", cache),
                            KeyValue.of("cache.manager", "manager"),
                            KeyValue.of("cause", isMissed ? lowerCase(cause) : "none"),
                            KeyValue.of("operation", operation),
                            KeyValue.of("outcome", lowerCase(outcome))));
        }
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Test
    void severalCauses_areOneWord() {
        Ended call = new Ended("cache", "getAll", CallOutcome.MISS, EnumSet.allOf(MissCause.class));

        assertThat(convention.getLowCardinalityKeyValues(call)).contains(KeyValue.of("cause", "several"));
    }
}
