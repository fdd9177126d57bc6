// SPDX-License-Identifier: Apache-2.0
/** What the commands say of themselves, to shells and to readers: {@code keyslot completion}, {@code keyslot man}. */
@NullMarked
package io.keyslot.cluster.cli.manual;

import org.jspecify.annotations.NullMarked;
