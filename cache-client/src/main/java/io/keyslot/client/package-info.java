// SPDX-License-Identifier: Apache-2.0
/** Puts the client together: read {@link io.keyslot.client.ClientAssembly} to see the whole machine. */
@NullMarked
package io.keyslot.client;

import org.jspecify.annotations.NullMarked;
