// SPDX-License-Identifier: Apache-2.0
/** What the engine for servers does with real ones: each command, handshakes, faults, and data and commands of strangers. */
@NullMarked
package io.keyslot.it.redis;

import org.jspecify.annotations.NullMarked;
