// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import java.util.Locale;

/** How the constants of an enum are shown: in lower case. */
final class ConstantText {
    private ConstantText() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
