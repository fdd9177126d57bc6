// SPDX-License-Identifier: Apache-2.0
/**
 * For tests of applications: embedded partitions with virtual time and faults. Start with
 * {@link io.keyslot.testkit.KeyslotExtension}, or without JUnit with {@link io.keyslot.testkit.EmbeddedKeyslot}.
 */
@NullMarked
package io.keyslot.testkit;

import org.jspecify.annotations.NullMarked;
