// SPDX-License-Identifier: Apache-2.0
/**
 * Which partitions there are and who owns what, at one moment, and how that changes while calls are under way.
 */
@NullMarked
package io.keyslot.client.topology;

import org.jspecify.annotations.NullMarked;
