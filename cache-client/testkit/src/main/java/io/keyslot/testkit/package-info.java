// SPDX-License-Identifier: Apache-2.0
/**
 * Test support: embedded partitions with virtual time and faults. Start with
 * {@link io.keyslot.testkit.KeyslotExtension} or {@link io.keyslot.testkit.EmbeddedKeyslot}.
 */
@NullMarked
package io.keyslot.testkit;

import org.jspecify.annotations.NullMarked;
