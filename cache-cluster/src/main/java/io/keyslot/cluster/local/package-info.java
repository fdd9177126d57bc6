// SPDX-License-Identifier: Apache-2.0
/** Servers on this machine, for development and tests: real processes on free ports of 127.0.0.1. */
@NullMarked
package io.keyslot.cluster.local;

import org.jspecify.annotations.NullMarked;
