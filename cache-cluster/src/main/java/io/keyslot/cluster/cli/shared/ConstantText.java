// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import java.util.Locale;

/** Formats enum constants in lower case. */
public final class ConstantText {
    private ConstantText() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
