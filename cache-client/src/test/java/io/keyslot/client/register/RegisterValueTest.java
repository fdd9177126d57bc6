// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.register.RegisterValue.Trace;
import io.keyslot.slot.PartitionId;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a value says of changes, after more of them than it remembers. */
class RegisterValueTest {
    private static final int CHANGES = 5 * RegisterValue.MOST_OPERATIONS;
    private static final Voters VOTERS = new Voters(Map.of(new PartitionId("p1"), "life"));

    /** @param textsInTen so many of ten changes are of the text, the others of the electors */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 9, 10})
    void whatWasMade_isNeverDenied_andWhoBeginsNow_isNeverTurnedAway(int textsInTen) {
        Random random = new Random(textsInTen);
        Map<String, Long> made = new HashMap<>();
        RegisterValue value = RegisterValue.first(1, 1, "text", VOTERS, new RegisterChange("first", 1));
        for (int change = 0; change < CHANGES; change++) {
            String id = "change-" + change;
            long before = value.version();
            boolean isText = random.nextInt(10) < textsInTen;
            String about = random.nextBoolean() ? "maria" : "";
            value = isText ? value.withText(id, about, "text", VOTERS) : value.withVoters(id, VOTERS);
            if (isText) {
                made.put(id, random.nextLong(before) + 1); // begun on this version or a later one
            }

            RegisterValue now = value;
            assertThat(now.traceOf("new", now.version())).isEqualTo(Trace.NOT_MADE);
            assertThat(now.traceOf(id, before)).isEqualTo(Trace.MADE);
            assertThat(now.traceOf("never", random.nextLong(now.version()) + 1)).isNotEqualTo(Trace.MADE);
            made.forEach((text, since) -> assertThat(now.traceOf(text, since))
                    .as("%s, begun on version %d", text, since)
                    .isNotEqualTo(Trace.NOT_MADE));
        }
    }

    @Test
    void changesOfPeople_areListed_howeverManyStepsFollowEachOfThem() {
        RegisterValue value = RegisterValue.first(1, 1, "text", VOTERS, new RegisterChange("first", 1));
        for (int change = 0; change < CHANGES; change++) {
            boolean isStep = change % 10 > 0;
            value = value.withText((isStep ? RegisterChange.STEP : "placement-") + change, "maria", "text", VOTERS);
        }

        assertThat(value.operations().stream().filter(RegisterChange::isKept)).hasSize(CHANGES / 10);
        assertThat(value.operations()).hasSizeLessThanOrEqualTo(2 * RegisterValue.MOST_OPERATIONS);
        for (int change = 0; change < 20 * RegisterValue.MOST_OPERATIONS; change++) {
            value = value.withText("later-" + change, "maria", "text", VOTERS);
        }
        assertThat(value.operations()).hasSize(2 * RegisterValue.MOST_OPERATIONS);
    }
}
