// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.util.Map;

/** How often this process has found a group that is too large, by the entity type of its root, as its meters count it. */
@FunctionalInterface
interface TooLargeGroups {
    Map<String, Long> byRoot();
}
