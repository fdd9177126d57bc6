// SPDX-License-Identifier: Apache-2.0
/** Assembles the client; {@link io.keyslot.client.ClientAssembly} shows all parts. */
@NullMarked
package io.keyslot.client;

import org.jspecify.annotations.NullMarked;
