// SPDX-License-Identifier: Apache-2.0
/** The commands that describe the program to shells and readers: {@code keyslot completion}, {@code keyslot man}. */
@NullMarked
package io.keyslot.cluster.cli.manual;

import org.jspecify.annotations.NullMarked;
