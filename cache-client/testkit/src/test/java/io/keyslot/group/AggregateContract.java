// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the contracts of all aggregates share. The random ones do the same to an aggregate and to a model of {@code
 * java.util}; their seed is the parameter of the test, and in the message of what fails.
 */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class AggregateContract {
    static final int STEPS = 200;

    /** Few, so that they meet; the text of some is none that a codec may take apart. */
    private static final List<String> WORDS =
            List.of("a", "b", "aa", "", "ab", "é", "\u0000", "{x}", "😀", "7", "07", "z");

    @AutoClose
    GroupFixture fixture;

    CacheGroup group;

    @RegisterExtension
    final BeforeEachCallback openGroup = context -> {
        Engine engine =
                context.getRequiredTestInstances().findInstance(Engine.class).orElseThrow();
        fixture = engine.fixture();
        group = fixture.group();
    };

    /** What a class with contracts of aggregates within it says: how their groups are reached. */
    @FunctionalInterface
    public interface Engine {
        GroupFixture fixture();
    }

    static String word(Random random) {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    static List<String> words(Random random) {
        return random.ints(random.nextInt(4), 0, WORDS.size())
                .mapToObj(WORDS::get)
                .toList();
    }

    /** Returns where a random test is, for messages. */
    static String at(long seed, int step) {
        return "seed %d, step %d".formatted(seed, step);
    }

    final EntityKey member(String name) {
        return EntityKey.of(name).in(fixture.root());
    }
}
