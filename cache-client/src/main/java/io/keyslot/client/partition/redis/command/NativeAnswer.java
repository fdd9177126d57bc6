// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.stored.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Combines the answers of several commands into a result. Throws if they do not match the commands. */
enum NativeAnswer {
    NONE {
        @Override
        @Nullable
        Object of(List<@Nullable Object> answers) {
            return null;
        }
    },
    FIRST {
        @Override
        @Nullable
        Object of(List<@Nullable Object> answers) {
            return decoded(answers.get(0));
        }
    },
    LAST {
        @Override
        @Nullable
        Object of(List<@Nullable Object> answers) {
            return decoded(last(answers));
        }
    },
    /** The last answer as an integer. Lua has no 64-bit integers, so the script returns text. */
    NUMBER {
        @Override
        Object of(List<@Nullable Object> answers) {
            return Long.valueOf(RespAnswers.element(last(answers)).text());
        }
    },
    SUM {
        @Override
        Object of(List<@Nullable Object> answers) {
            long sum = 0;
            for (Object answer : answers) {
                sum += RespAnswers.number(answer);
            }
            return sum;
        }
    },
    JOINED {
        @Override
        Object of(List<@Nullable Object> answers) {
            List<@Nullable Object> all = new ArrayList<>();
            answers.forEach(answer -> all.addAll(list(answer)));
            return all;
        }
    };

    abstract @Nullable Object of(List<@Nullable Object> answers);

    private static @Nullable Object last(List<@Nullable Object> answers) {
        return answers.get(answers.size() - 1);
    }

    /** Decodes an answer to null, a number, an element, or a list of answers. */
    static @Nullable Object decoded(@Nullable Object answer) {
        if (answer instanceof byte[] bytes) {
            return Element.of(bytes);
        }
        if (answer == null || answer instanceof Long) {
            return answer;
        }
        return list(answer);
    }

    static List<@Nullable Object> list(@Nullable Object answer) {
        if (!(answer instanceof List<?> list)) {
            throw new IllegalStateException("an answer is no list");
        }
        List<@Nullable Object> decoded = new ArrayList<>(list.size());
        list.forEach(element -> decoded.add(decoded(element)));
        return decoded;
    }
}
