// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegisterTextTest {
    private static final PartitionId RED = new PartitionId("red");
    private static final PartitionId BLUE = new PartitionId("b-lue");

    @Test
    void everyValue_isReadAsItWasWritten() {
        Random random = new Random(7);
        List<String> texts = List.of("", "{}", "a\n\nb", "\n", "ä€𝄞 \u0000", "operations x=1");
        RegisterValue value =
                RegisterValue.first(4, 2, "", new Voters(Map.of(RED, "n-1.2")), new RegisterChange("init", 2));

        for (int step = 0; step < 200; step++) {
            assertThat(RegisterText.parse(RegisterText.of(value))).isEqualTo(value);
            String operation = "op/" + step + ":x";
            String text = texts.get(random.nextInt(texts.size()));
            String about = texts.get(random.nextInt(texts.size())).repeat(random.nextInt(100)) + "\ud834";
            value = switch (random.nextInt(2)) {
                case 0 -> value.withText(operation, about, text, value.voters());
                default -> value.withVoters(operation, value.voters().with(BLUE, "m-" + step));
            };
        }
        assertThat(value.operations()).hasSizeBetween(RegisterValue.MOST_OPERATIONS, 2 * RegisterValue.MOST_OPERATIONS);
    }

    @Test
    void whatIsDamaged_newerOrSomethingElse_isRefusedWithoutQuotingIt() {
        RegisterValue value =
                RegisterValue.first(1, 1, "secret", new Voters(Map.of(RED, "n")), new RegisterChange("init", 1));
        String text = RegisterText.of(value);

        assertThatThrownBy(() -> RegisterText.parse(text.replace("secret", "sEcret")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("damaged");
        assertThatThrownBy(() -> RegisterText.parse(text.replace("keyslot-register 1", "keyslot-register 2")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("newer version");
        for (int end = 0; end < text.length(); end++) {
            String beginning = text.substring(0, end);
            assertThatThrownBy(() -> RegisterText.parse(beginning))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void anOperationThatIsNotListed_wasNotMade_unlessItMayHaveBeenForgotten() {
        RegisterValue value =
                RegisterValue.first(1, 1, "", new Voters(Map.of(RED, "n")), new RegisterChange("init", 1));
        for (int version = 2; version <= 100; version++) {
            value = value.withText(RegisterChange.STEP + version, "by " + version, "", value.voters());
        }

        assertThat(value.traceOf(RegisterChange.STEP + 100, 99)).isEqualTo(RegisterValue.Trace.MADE);
        assertThat(value.traceOf("other", 99)).isEqualTo(RegisterValue.Trace.NOT_MADE);
        assertThat(value.traceOf("other", 38)).isEqualTo(RegisterValue.Trace.NOT_MADE);
        // begun on the version of the oldest that is listed: it would have made a later one
        assertThat(value.traceOf("other", 37)).isEqualTo(RegisterValue.Trace.NOT_MADE);
        assertThat(value.traceOf("other", 36)).isEqualTo(RegisterValue.Trace.FORGOTTEN);
        assertThat(value.traceOf(RegisterChange.STEP + 36, 35)).isEqualTo(RegisterValue.Trace.FORGOTTEN);
    }

    @Test
    void anEvenNumberOfVoters_isRefused() {
        RegisterValue value =
                RegisterValue.first(1, 1, "", new Voters(Map.of(RED, "n")), new RegisterChange("init", 1));
        DecidedValue present = new DecidedValue(new Generation(1, "x"), value);

        assertThat(new Update.Replace("a", "", 1, "", Set.of(), Map.of(BLUE, "m"), any -> Optional.empty()).on(present))
                .isInstanceOfSatisfying(
                        Update.Verdict.No.class,
                        no -> assertThat(no.answer()).isInstanceOf(RegisterAnswer.Invalid.class));
    }
}
