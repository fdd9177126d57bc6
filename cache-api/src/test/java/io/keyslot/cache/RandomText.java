// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.util.Random;

/** Short random strings, rich in what an escape may get wrong. */
public final class RandomText {
    private static final String AWKWARD = "%{}:/u%%25aA0\u0000\u001f\u007f\u0080\u009f\u00a0é€\ud83d\ude00\ud800\udfff";

    private final Random random;

    public RandomText(long seed) {
        random = new Random(seed);
    }

    /** Returns fewer than 12 characters, but at least as many as said. */
    public String next(int atLeast) {
        int length = atLeast + random.nextInt(12 - atLeast);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(
                    random.nextInt(4) == 0
                            ? (char) random.nextInt(Character.MAX_VALUE + 1)
                            : AWKWARD.charAt(random.nextInt(AWKWARD.length())));
        }
        return text.toString();
    }

    boolean nextBoolean() {
        return random.nextBoolean();
    }
}
