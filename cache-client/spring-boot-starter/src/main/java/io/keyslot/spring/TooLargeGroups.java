// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.util.Map;

/** Counts the groups that this process has found to be too large, by the entity type of the root, from its meters. */
@FunctionalInterface
interface TooLargeGroups {
    Map<String, Long> byRoot();
}
